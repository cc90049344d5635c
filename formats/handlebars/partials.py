"""Partials: named and inline ones, partial blocks with `@partial-block`, and the indent of one that stands alone."""

from __future__ import annotations

from typing import Any, Final, NoReturn

from formats.handlebars.blocks import BlockCompiler
from formats.handlebars.errors import Place, TemplateError
from formats.handlebars.getters import constant
from formats.handlebars.origins import ENTRY, Entry, Scope
from formats.handlebars.runtime import CompiledProgram, Data, Frame, Getter, Op, PartialTarget, Run, Write
from formats.handlebars.tree import Call, Inline, Partial
from formats.handlebars.values import SafeText, Value, property_name, text_of

PARTIAL_BLOCK: Final = "@partial-block"
COPIED_PER_STEP: Final = 8  # names of partials, which a call may copy
BLOCK_KEY: Final = "partial-block"


class NamedPartial:
    """A partial with a source of its own: sees its context, the data, and nothing further out."""

    __slots__ = ("keeps_scopes", "program", "weight")

    def __init__(self) -> None:
        self.program = CompiledProgram(())
        self.weight = 1
        self.keeps_scopes = False  # compat

    def run(self, frame: Frame, context: Value, data: Data | None, partials: dict[str, Any], write: Write) -> None:
        """Render into `write`."""
        outer = None
        if self.keeps_scopes and frame.scopes is not None:
            outer = frame.scopes if context is not frame.scopes[0] else frame.scopes[1]
        self.program.run(Frame(context, (context, outer), data, None, partials, frame.run), write)


class InlinePartial:
    """An inline partial: sees what was visible where it is defined."""

    __slots__ = ("frame", "is_top", "program", "weight")

    def __init__(self, program: CompiledProgram, frame: Frame, is_top: bool) -> None:
        self.program, self.frame, self.is_top = program, frame, is_top
        self.weight = program.weight

    def run(self, frame: Frame, context: Value, data: Data | None, partials: dict[str, Any], write: Write) -> None:
        """Render into `write`; one that is defined at the top of a template sees no context outside its own."""
        home = self.frame
        inner = self.program.enter(home, context, data)
        known = partials if partials is home.partials else {**home.partials, **partials}
        scopes = (context, None) if self.is_top else inner.scopes
        self.program.run(Frame(inner.context, scopes, inner.data, inner.params, known, frame.run), write)


class PartialBody:
    """The body of a partial block: what `{{> @partial-block}}` renders, where the block stands."""

    __slots__ = ("frame", "outer", "program", "weight")

    def __init__(self, program: CompiledProgram, frame: Frame, outer: PartialTarget | None) -> None:
        self.program, self.frame, self.outer = program, frame, outer
        self.weight = program.weight

    def run(self, frame: Frame, context: Value, data: Data | None, partials: dict[str, Any], write: Write) -> None:
        """Render into `write`; inside, `@partial-block` is the one around this block."""
        inner = Data(data, data)
        inner[BLOCK_KEY] = self.outer
        self.program.run(self.program.enter(self.frame, context, inner), write)


class PartialCompiler(BlockCompiler):
    """Compiles the partials of one source. `inline_names` are those defined anywhere in the sources together."""

    named: dict[str, NamedPartial]
    inline_names: frozenset[str] | None  # None: some inline partial has a computed name
    is_top = True

    def define_inlines(self, inlines: list[Inline], compiled: CompiledProgram, scope: Scope) -> None:
        """Have the program define its inline partials before it runs."""
        is_top = len(scope.contexts) == 1 and not scope.params
        outer = () if is_top else scope.contexts
        inside = Scope((ENTRY, *outer), scope.params, scope.param_origins, ENTRY)
        definitions = [(self.expression(i.name, scope), self.program(i.program, inside)) for i in inlines]
        self.uses_data = self.uses_scopes = True
        run = compiled.run

        place = self.place(inlines[0].start)

        def define(frame: Frame) -> Frame:
            frame.run.spend(1 + len(frame.partials) // COPIED_PER_STEP, place)
            partials = dict(frame.partials)
            home = Frame(frame.context, frame.scopes, frame.data, frame.params, partials, frame.run)
            for name, program in definitions:
                partials[text_of(name(frame))] = InlinePartial(program, home, is_top)
            return home

        compiled.definitions = define
        compiled.run = lambda frame, write: run(define(frame), write)

    def partial(self, partial: Partial, scope: Scope) -> Op:
        """`{{> name context key=value}}`, or the block form with a body."""
        if len(partial.operands) > 1:
            self.fail(f"Unsupported number of partial arguments: {len(partial.operands)}", partial.start)
        self.uses_data = self.uses_scopes = True
        name = self.partial_name(partial, scope)
        get_context = self.partial_context(partial, scope)
        inside = Scope((ENTRY, *scope.contexts), scope.params, scope.param_origins)
        body = None if partial.program is None else self.program(partial.program, inside)
        call = self._call(partial, name, get_context, body)
        enter = self._entry(partial, scope)
        return self._indented(self._traced_entry(call, enter) if self.traced else call, partial.indent, partial.start)

    def partial_name(self, partial: Partial, scope: Scope) -> Getter:
        """The name to look for; a fixed one that can not exist is refused now."""
        if isinstance(partial.name, Call):
            get = self.call(partial.name, scope)
            return lambda frame: property_name(get(frame))
        name = partial.name.original
        is_known = self.inline_names is None or name in self.inline_names or name in self.named or name == PARTIAL_BLOCK
        if not is_known and partial.program is None:
            self.missing_partial(name, partial.start)
        return constant(name)

    def missing_partial(self, name: str, start: int) -> NoReturn:
        """Refuse a partial that nothing defines."""
        self.fail(f"The partial {name} could not be found", start)

    def partial_context(self, partial: Partial, scope: Scope) -> Getter:
        """The context a partial gets: its operand or the current one, with the keyword arguments laid over."""
        get = self.expression(partial.operands[0], scope) if partial.operands else self.default_context()
        keywords = self.keywords(partial.keywords, scope)
        place = self.place(partial.start)
        return get if keywords is None else lambda frame: _overlaid(get(frame), keywords(frame), frame.run, place)

    def default_context(self) -> Getter:
        """The context of a partial that names none."""
        if self.options.explicit_partial_context:
            return constant(None)
        return lambda frame: frame.context

    def _call(self, partial: Partial, name: Getter, get_context: Getter, body: CompiledProgram | None) -> Op:
        place = self.place(partial.start)

        def call(frame: Frame, write: Write) -> None:
            run, data, partials = frame.run, frame.data, frame.partials
            found_name = str(name(frame))
            target = find_partial(frame, found_name)
            if body is not None:
                data, partials, own = _with_body(frame, body)
                target = target or own
            if target is None:
                raise TemplateError(f"The partial {found_name} could not be found", place)
            run.begin_partial(target.weight + len(partials) // COPIED_PER_STEP, place)
            target.run(frame, get_context(frame), data, partials, write)
            run.partial_depth -= 1

        return call

    def _entry(self, partial: Partial, scope: Scope) -> Entry:
        context = self.origin(partial.operands[0], scope) if partial.operands else scope.contexts[0]
        return Entry(context, tuple((key, self.origin(value, scope)) for key, value in partial.keywords.items()))

    @staticmethod
    def _traced_entry(call: Op, entry: Entry) -> Op:
        """The call with its origins known inside."""

        def traced(frame: Frame, write: Write) -> None:
            run = frame.run
            outer = run.entry
            keywords = tuple((key, outer.resolve(origin)) for key, origin in entry.keywords)
            run.entry = Entry(outer.resolve(entry.context), keywords)
            call(frame, write)
            run.entry = outer

        return traced

    def _indented(self, call: Op, indent: str, start: int) -> Op:
        if not indent:
            return call
        if self.options.prevent_indent:

            def unindented(frame: Frame, write: Write) -> None:
                write(indent)
                call(frame, write)

            return unindented
        place = self.place(start)
        return lambda frame, write: call(frame, indenting(write, indent, frame.run, place))


def find_partial(frame: Frame, name: str) -> PartialTarget | None:
    """The partial of that name where `frame` is."""
    if name == PARTIAL_BLOCK:
        return frame.data.get(BLOCK_KEY) if frame.data is not None else None  # type: ignore[return-value]
    return frame.partials.get(name)


def _with_body(frame: Frame, body: CompiledProgram) -> tuple[Data, dict[str, Any], PartialTarget]:
    """Data and partials for a partial called with a body, and that body."""
    outer = frame.data.get(BLOCK_KEY) if frame.data is not None else None
    own = PartialBody(body, frame, outer)  # type: ignore[arg-type]
    data = Data(frame.data, frame.data)
    data[BLOCK_KEY] = own
    partials = frame.partials
    if body.definitions is not None:
        partials = {**partials, **body.definitions(frame).partials}
    return data, partials, own


def _overlaid(context: Value, keywords: dict[str, Value], run: Run, place: Place) -> dict[str, Value]:
    """A context with keyword arguments over it, paid for; a list or string gives its items by index."""
    if type(context) in (dict, list, tuple, str, SafeText):
        run.spend(len(context), place)  # type: ignore[arg-type]
    if type(context) is dict:
        return {**context, **keywords}
    if type(context) in (list, tuple, str, SafeText):
        items: Any = context
        return {**{str(index): item for index, item in enumerate(items)}, **keywords}
    return keywords


def indenting(write: Write, indent: str, run: Run, place: Place) -> Write:
    """A writer that puts `indent` before every line, but not before an end that has no text."""
    is_line_start = True

    def write_indented(text: str, *root: str | None) -> None:
        nonlocal is_line_start
        if not text:
            return
        if is_line_start:
            write(indent)
        run.spend_on_text(len(text), place)
        is_line_start = text.endswith("\n")
        body = text[:-1] if is_line_start else text
        write(body.replace("\n", "\n" + indent) + ("\n" if is_line_start else ""), *root)

    return write_indented
