"""Expressions to closures: paths, literals, helper calls. Names, operands and keywords are checked here, once."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any, Final, NoReturn

from formats.handlebars import limits
from formats.handlebars.assemble import Show
from formats.handlebars.errors import Place, TemplateError, TemplateSyntaxError, TemplateWarning
from formats.handlebars.getters import (
    LAZY,
    TEXT_TESTS,
    apply_function,
    choose_operand,
    compare,
    constant,
    current_context,
    data_getter,
    follow,
    follow_param,
    scope_getter,
)
from formats.handlebars.helpers import Helper, HelperKind, HelperSet
from formats.handlebars.options import Options
from formats.handlebars.origins import TEMPLATE, Kind, Origin, Scope
from formats.handlebars.runtime import Frame, Getter
from formats.handlebars.tree import Call, Expression, Literal, Path
from formats.handlebars.values import (
    UNDEFINED,
    NotPrintable,
    Value,
    lookup,
    text_of,
)

HINT_CUTOFF: Final = 0.6
DEARER_TEXT: Final = 4  # times what a text costs that is made from another text: one from many small values


Keywords = Callable[[Frame], dict[str, Value]]


class Findings:
    """What compiling a template and its partials finds out about it."""

    def __init__(self) -> None:
        self.roots: set[str] = set()
        self.warnings: list[TemplateWarning] = []
        self.hints: dict[str, str | None] = {}


class ExpressionCompiler:
    """Compiles the expressions of one source. `uses_data` and `uses_scopes` are about the program being compiled."""

    def __init__(self, source: str, name: str, helpers: HelperSet, options: Options, findings: Findings) -> None:
        self.source, self.name = source, name
        self.helpers, self.options, self.findings = helpers, options, findings
        self.uses_data = self.uses_scopes = False

    def place(self, start: int) -> Place:
        """The place of an offset, for an error."""
        return Place(self.source, self.name, start)

    def fail(self, message: str, start: int) -> NoReturn:
        """Refuse the template."""
        raise TemplateSyntaxError(message, self.place(start))

    # -- values

    def expression(self, expression: Expression, scope: Scope) -> Getter:
        """The value of an operand."""
        if isinstance(expression, Literal):
            return constant(expression.value)
        if isinstance(expression, Path):
            return self.path(expression, scope)
        return self.call(expression, scope)

    def keywords(self, keywords: dict[str, Expression], scope: Scope) -> Keywords | None:
        """The keyword operands as a dict, or None without any; `key=undefined` is left out."""
        if not keywords:
            return None
        getters = [
            (key, self.expression(value, scope))
            for key, value in keywords.items()
            if not (isinstance(value, Literal) and value.value is UNDEFINED)
        ]
        return lambda frame: {key: getter(frame) for key, getter in getters}

    def origin(self, expression: Expression, scope: Scope) -> Origin:
        """Where the text of an expression comes from: for a call, its first operand that is not the template's."""
        if isinstance(expression, Literal):
            return TEMPLATE
        if isinstance(expression, Path):
            return scope.path_origin(expression)
        helper = self.helper_of(expression, scope)
        if helper is None:
            return scope.path_origin(as_path(expression.callee))
        if helper.is_test:
            return TEMPLATE
        origins = (self.origin(operand, scope) for operand in expression.operands)
        return next((origin for origin in origins if origin.kind is not Kind.TEMPLATE), TEMPLATE)

    def chosen_origin(self, call: Call, scope: Scope) -> Callable[[Frame], Origin] | None:
        """For `and`, `or` and `default`, which pass on one operand: where that one comes from."""
        helper = self.helper_of(call, scope)
        if helper is None or helper.kind is not HelperKind.LAZY:
            return None
        getters = [self.expression(operand, scope) for operand in call.operands]
        origins = [self.origin(operand, scope) for operand in call.operands]
        name = helper.name
        return lambda frame: origins[choose_operand(name, getters, frame)]

    # -- paths

    def path(self, path: Path, scope: Scope, *, is_final: bool = False) -> Getter:
        """The value of a name. `is_final`: it is to be printed or called, so that strict mode wants it to be there."""
        self._note_root(path, scope)
        param = scope.param(path)
        if param is not None:
            return follow_param(*param, path.parts[1:])
        base, keys = self.path_base(path)
        if self.options.strict or self.options.assume_objects:
            return self._strict_path(base, keys, path, is_final and self.options.strict)
        return follow(base, keys)

    def path_base(self, path: Path) -> tuple[Getter, tuple[str, ...]]:
        """Where a path starts, and the keys to follow from there."""
        if path.is_data and path.parts:
            self.uses_data = True
            return data_getter(path.depth, path.parts[0]), path.parts[1:]
        self.uses_scopes |= path.depth > 0
        return scope_getter(path.depth) if path.depth else current_context, path.parts

    def _strict_path(self, base: Getter, keys: tuple[str, ...], path: Path, is_final: bool) -> Getter:
        place, data_name = self.place(path.start), path.parts[0] if path.is_data else ""

        def get(frame: Frame) -> Value:
            value = base(frame)
            if is_final and not keys and data_name and value is UNDEFINED:
                raise TemplateError(_missing(data_name, value, True), place)
            for index, key in enumerate(keys):
                outer, is_last = value, is_final and index == len(keys) - 1
                if outer is None or outer is UNDEFINED:
                    raise TemplateError(_missing(key, outer, is_last), place)
                value = lookup(outer, key)
                if is_last and value is UNDEFINED:
                    raise TemplateError(_missing(key, outer, is_last), place)
            return value

        return get

    def _note_root(self, path: Path, scope: Scope) -> None:
        """Remember a root variable; refuse, or warn of, one that will never be there."""
        if scope.param(path) is not None:
            return
        reads_root = path.is_data and path.parts[:1] == ("root",)
        keys = path.parts[1:] if reads_root else path.parts
        context = scope.contexts[path.depth] if path.depth < len(scope.contexts) else TEMPLATE
        kind = Kind.ROOT if reads_root else Kind.TEMPLATE if path.is_data else context.kind
        may_be_root = kind in {Kind.ROOT, Kind.ENTRY} or (kind is Kind.VARIABLE and scope.is_uncertain)
        if not keys or not may_be_root:
            return
        self.findings.roots.add(keys[0])
        if kind is Kind.ROOT and self.options.variables is not None and keys[0] not in self.options.variables:
            self._unknown_variable(keys[0], self.options.variables, path.start)

    def _unknown_variable(self, name: str, variables: frozenset[str], start: int) -> None:
        hints = self.findings.hints
        if name not in hints:
            is_looked_up = len(hints) < limits.HINTS
            hints[name] = nearest(name, variables) or nearest(name, self.helpers.helpers) if is_looked_up else None
        hint = hints[name]
        text = f'unknown variable "{name}"' + (f', did you mean "{hint}"?' if hint else "")
        if self.options.unknown_variables_are_errors:
            self.fail(text, start)
        line, column = self.place(start).line_and_column()
        self.findings.warnings.append(TemplateWarning(text, line, column, hint))

    # -- calls

    def helper_of(self, call: Call, scope: Scope) -> Helper | None:
        """The helper a call names; None when the name is a variable or nothing is known by it."""
        path = as_path(call.callee)
        name = path.simple_name
        if name is None or path.is_data or scope.param(path) is not None:
            return None
        return self.helpers.get(name)

    def call(self, call: Call, scope: Scope) -> Getter:
        """The value of a helper call with operands, or of a sub-expression."""
        helper = self.helper_of(call, scope)
        if helper is None:
            self.unknown_helper(call)
        if helper.kind in {HelperKind.BLOCK, HelperKind.ROLE}:
            self.fail(f'"{helper.name}" is a block: write {{{{#{helper.name} …}}}}…{{{{/{helper.name}}}}}', call.start)
        self.check_operands(helper, call)
        getters = [self.expression(operand, scope) for operand in call.operands]
        if helper.kind is HelperKind.LAZY:
            return LAZY[helper.name](getters)
        return self._value_call(helper, call, getters, scope)

    def unknown_helper(self, call: Call) -> NoReturn:
        """Refuse a call of something that is no helper."""
        name = call.callee.original
        hint = nearest(name, self.helpers.helpers)
        self.fail(f'unknown helper "{name}"' + (f', did you mean "{hint}"?' if hint else ""), call.start)

    def check_operands(self, helper: Helper, call: Call) -> None:
        """Refuse a wrong number of operands, or a keyword the helper does not have."""
        count = len(call.operands)
        if count < helper.least or (helper.most is not None and count > helper.most):
            self.fail(_wrong_count(helper, count), call.start)
        for key in call.keywords:
            if key not in helper.keywords:
                known = f"; it has {', '.join(helper.keywords)}" if helper.keywords else ""
                self.fail(f'"{helper.name}" has no key "{key}"{known}', call.start)

    def _value_call(self, helper: Helper, call: Call, getters: list[Getter], scope: Scope) -> Getter:
        place = self.place(call.start)
        if helper.name in TEXT_TESTS and (special := _literal_equality(helper, call, getters)) is not None:
            return special
        if helper.is_test and len(getters) == 2:
            return compare(helper.function, getters, place)
        if helper.makes_text or helper.name == "lookup":
            return _charged(helper, getters, self.keywords(call.keywords, scope), place)
        return apply_function(helper.function, getters)

    def printer(self, start: int) -> Show:
        """The text of a value that is not a string; that of a list is new, and paid for."""
        place = self.place(start)

        def show(value: Value, frame: Frame) -> str:
            try:
                text = text_of(value)
            except NotPrintable as error:
                raise TemplateError(not_json(error), place) from None
            frame.run.spend_on_text(len(text) * DEARER_TEXT, place)
            return text

        return show


def as_path(callee: Path | Literal) -> Path:
    """A literal in a name's place is the name of a key: `{{"a b"}}`, `{{12}}`."""
    if isinstance(callee, Path):
        return callee
    return Path((callee.original,), 0, False, False, callee.original, callee.start)


def not_json(error: NotPrintable) -> str:
    """What to say of a value that can not be printed."""
    return f"a value of type {error} can not be printed: only JSON values can"


def nearest(name: str, candidates: Any) -> str | None:
    """The candidate that `name` is probably a misspelling of."""
    found = difflib.get_close_matches(name[:200], sorted(candidates), n=1, cutoff=HINT_CUTOFF)
    return found[0] if found else None


def _wrong_count(helper: Helper, count: int) -> str:
    if helper.name == "each":
        return "Must pass iterator to #each: it takes exactly one argument"
    if helper.kind is HelperKind.BLOCK:
        return f"#{helper.name} requires exactly one argument, not {count}"
    if helper.most is None:
        wanted = f"at least {helper.least}"
    else:
        wanted = str(helper.least) if helper.least == helper.most else f"{helper.least} to {helper.most}"
    hint = f'; for a variable of that name write "this.{helper.name}"' if not count else ""
    return f'"{helper.name}" takes {wanted} operand{"" if wanted.endswith("1") else "s"}, not {count}{hint}'


def _missing(key: str, outer: Value, is_final: bool) -> str:
    outer_text = "null" if outer is None else "undefined" if outer is UNDEFINED else type(outer).__name__
    return f'"{key}" not defined in {outer_text}' if is_final else f'cannot read "{key}" of {outer_text}'


def _charged(helper: Helper, getters: list[Getter], keywords: Keywords | None, place: Place) -> Getter:
    """A call that is paid for by the size of what it reads and makes, and whose failure has a place."""
    function = helper.function

    def get(frame: Frame) -> Value:
        operands = [getter(frame) for getter in getters]
        if type(operands[0]) is list:
            frame.run.spend_on_text(len(operands[0]) * DEARER_TEXT, place)
        try:
            value = function(*operands, **(keywords(frame) if keywords else {}))
        except NotPrintable as error:
            raise TemplateError(f"{helper.name}: {not_json(error)}", place) from None
        if helper.makes_text:
            factor = 1 if type(operands[0]) is str else DEARER_TEXT
            frame.run.spend_on_text(len(value) * factor, place)  # type: ignore[arg-type]  # a text, then
        return value

    return get


def _literal_equality(helper: Helper, call: Call, getters: list[Getter]) -> Getter | None:
    """`eq x "text"`, the commonest test of a prompt template, as one comparison."""
    for literal, other in ((1, 0), (0, 1)):
        operand = call.operands[literal]
        if isinstance(operand, Literal) and type(operand.value) is str:
            return TEXT_TESTS[helper.name](getters[other], operand.value)
    return None
