"""Programs and blocks to closures: if, unless, each, with, sections, role blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from formats.handlebars.assemble import Part, Printed, Show, assemble
from formats.handlebars.branches import ITERABLE, choose, in_place, in_place_if_any, repeat, section_op
from formats.handlebars.errors import Place
from formats.handlebars.expressions import ExpressionCompiler, as_path
from formats.handlebars.helpers import ROLE_BLOCKS, Helper, HelperKind
from formats.handlebars.origins import Origin, Scope
from formats.handlebars.runtime import CompiledProgram, Frame, Getter, Op, Write
from formats.handlebars.tree import Block, Inline, Mustache, Partial, Path, Program, Statement, Text
from formats.handlebars.values import SafeText, Value, escape_html, is_empty, is_true, is_truthy
from formats.handlebars.weights import weigh_program


class BlockCompiler(ExpressionCompiler):
    """Compiles the statements of one source."""

    traced = False

    # -- programs

    def program(self, program: Program, scope: Scope, origins: tuple[Origin, ...] = ()) -> CompiledProgram:
        """A program and all inside it. `origins`: those of its block parameters."""
        compiled = CompiledProgram(program.params)
        inner = scope.with_params(program.params, origins)
        outer_needs = self.uses_data, self.uses_scopes
        self.uses_data = self.uses_scopes = False
        inlines = [statement for statement in program.body if isinstance(statement, Inline)]
        parts = [self.statement(statement, inner) for statement in program.body if not isinstance(statement, Inline)]
        compiled.run = assemble(parts, traced=self.traced)
        compiled.weight = weigh_program(program)
        if inlines:
            self.define_inlines(inlines, compiled, inner)
        compiled.uses_data = self.uses_data
        compiled.uses_scopes = self.uses_scopes or self.options.compat
        self.uses_data = outer_needs[0] or compiled.uses_data
        self.uses_scopes = outer_needs[1] or compiled.uses_scopes
        return compiled

    def statement(self, statement: Statement, scope: Scope) -> Part:
        """One statement: a text, a value to print, or an operation."""
        if isinstance(statement, Text):
            return statement.value
        if isinstance(statement, Mustache):
            return self.mustache(statement, scope)
        if isinstance(statement, Block):
            return self.block(statement, scope)
        if isinstance(statement, Partial):
            return self.partial(statement, scope)
        return ""  # a comment

    def partial(self, partial: Partial, scope: Scope) -> Op:
        """A partial; see partials.py."""
        raise NotImplementedError

    def define_inlines(self, inlines: list[Inline], compiled: CompiledProgram, scope: Scope) -> None:
        """The inline partials of a program; see partials.py."""
        raise NotImplementedError

    def mustache(self, mustache: Mustache, scope: Scope) -> Part:
        """A value to print."""
        call = mustache.call
        get, key = self.printed_value(mustache, scope)
        show = self.printer(mustache.start)
        if mustache.is_escaped and self.options.escape:
            get, key = _escaped(get, show, self.place(mustache.start)), None
        origin_now = self.chosen_origin(call, scope) if self.traced else None
        return Printed(get, show, self.origin(call, scope), key, origin_now)

    def printed_value(self, mustache: Mustache, scope: Scope) -> tuple[Getter, str | None]:
        """What a mustache prints, and the key of the current context if it is just that."""
        call = mustache.call
        if call.operands or call.keywords or self.helper_of(call, scope) is not None:
            return self.call(call, scope), None
        path = as_path(call.callee)
        return self.path(path, scope, is_final=True), self._plain_key(path, scope)

    def _plain_key(self, path: Path, scope: Scope) -> str | None:
        """The key, when a path is one of the current context and missing is nothing."""
        options = self.options
        is_plain = len(path.parts) == 1 and not path.depth and not path.is_data and scope.param(path) is None
        return path.parts[0] if is_plain and not (options.strict or options.assume_objects or options.compat) else None

    # -- blocks

    def block(self, block: Block, scope: Scope) -> Op:
        """A block helper, a role block, or a section `{{#name}}…{{/name}}`."""
        helper = self.helper_of(block.call, scope)
        if helper is None:
            return self.section(block, scope)
        if helper.kind not in {HelperKind.BLOCK, HelperKind.ROLE}:
            self.fail(f'"{helper.name}" is no block: write {{{{#if ({helper.name} …)}}}}…{{{{/if}}}}', block.start)
        self.check_operands(helper, block.call)
        return self._BUILDERS[helper.name](self, block, helper, scope)

    def block_operand(self, block: Block, scope: Scope) -> Getter:
        """The value an `if`, `unless`, `each` or `with` is about."""
        return self.expression(block.call.operands[0], scope)

    def branches(
        self, block: Block, scope: Scope, inner: Scope | None = None, origins: tuple[Origin, ...] = ()
    ) -> tuple[CompiledProgram | None, CompiledProgram | None]:
        """Main and else program; the main one in scope `inner` where that differs."""
        main = self.program(block.program, inner or scope, origins) if block.program else None
        return main, self.program(block.inverse, scope) if block.inverse else None

    def _if(self, block: Block, helper: Helper, scope: Scope) -> Op:
        test = self._condition(block, scope)
        main, inverse = self.branches(block, scope)
        if helper.name == "unless":
            main, inverse = inverse, main
        return choose(test, main, inverse)

    def _condition(self, block: Block, scope: Scope) -> Getter:
        get = self.block_operand(block, scope)
        keywords = self.keywords(block.call.keywords, scope)
        if keywords is None:
            return get

        def test(frame: Frame) -> Value:
            value = get(frame)
            includes_zero = is_truthy(keywords(frame).get("includeZero", False))
            return not is_empty(value) if includes_zero else is_true(value)

        return test

    def _each(self, block: Block, helper: Helper, scope: Scope) -> Op:
        get = self.block_operand(block, scope)
        origin = self.origin(block.call.operands[0], scope)
        main, inverse = self._loop_branches(block, scope, origin)
        loop = repeat(main, self.place(block.start)) if main else None
        otherwise = in_place_if_any(inverse)

        def run(frame: Frame, write: Write) -> None:
            value = get(frame)
            if type(value) in ITERABLE and value:
                if loop is not None:
                    loop(frame, write, value)
            elif otherwise is not None:
                otherwise(frame, write)

        return run

    def _loop_branches(
        self, block: Block, scope: Scope, origin: Origin
    ) -> tuple[CompiledProgram | None, CompiledProgram | None]:
        inner = replace(scope, contexts=(origin, *scope.contexts), keys=origin)
        return self.branches(block, scope, inner, (origin, origin))

    def _with(self, block: Block, helper: Helper, scope: Scope) -> Op:
        get = self.block_operand(block, scope)
        origin = self.origin(block.call.operands[0], scope)
        main, inverse = self.branches(block, scope, scope.inside(origin), (origin,))
        otherwise = in_place_if_any(inverse)

        def run(frame: Frame, write: Write) -> None:
            value = get(frame)
            if not is_empty(value):
                if main is not None:
                    main.run(main.enter(frame, value, None, (value,)), write)
            elif otherwise is not None:
                otherwise(frame, write)

        return run

    def section(self, block: Block, scope: Scope) -> Op:
        """`{{#name}}…{{/name}}` of a variable: a loop over a list, once inside anything else that is something."""
        call = block.call
        if call.operands or call.keywords:
            self.unknown_helper(call)
        path = as_path(call.callee)
        if path.simple_name in ROLE_BLOCKS and scope.param(path) is None:
            self.fail(f"{{{{#{path.simple_name}}}}} works in context templates only", block.start)
        get = self.path(path, scope, is_final=True)
        main, inverse = self._loop_branches(block, replace(scope, is_uncertain=True), scope.path_origin(path))
        return section_op(get, main, inverse, self.place(block.start))

    def _role(self, block: Block, helper: Helper, scope: Scope) -> Op:
        if block.inverse is not None or block.program is None:
            self.fail(f"{{{{{helper.name}}}}} has no {{{{else}}}} and can not be inverted", block.start)
        keywords = self.keywords(block.call.keywords, scope)
        inside = in_place(self.program(block.program, scope))
        if not self.traced:
            return inside
        kind = ROLE_BLOCKS[helper.name]

        def run(frame: Frame, write: Write) -> None:
            tracer = frame.run.tracer
            tracer.open(kind, keywords(frame) if keywords else {}, frame.context)
            inside(frame, write)
            tracer.close()

        return run

    _BUILDERS: Final[Mapping[str, Callable[[Any, Block, Helper, Scope], Op]]] = {
        "if": _if,
        "unless": _if,
        "each": _each,
        "with": _with,
        **dict.fromkeys(ROLE_BLOCKS, _role),
    }


def _escaped(get: Getter, show: Show, place: Place) -> Getter:
    def escaped(frame: Frame) -> Value:
        value = get(frame)
        if type(value) is SafeText:
            return str(value)
        text = value if type(value) is str else show(value, frame)
        frame.run.spend_on_text(len(text), place)
        return escape_html(text)

    return escaped
