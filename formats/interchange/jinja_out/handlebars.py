"""A role template of ours as Jinja: the helpers and blocks that formats use, said in Jinja's words.

Values come in as expressions with a type, so that what is known to be text is printed as it is, and truth means what it
means in Handlebars.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from formats.handlebars.parser import ParseBudget, parse
from formats.handlebars.tree import (
    Block,
    Call,
    Expression,
    Inline,
    Literal,
    Mustache,
    Partial,
    Path,
    Program,
    Statement,
    Text,
)
from formats.interchange.jinja_out.source import CannotSay, loop, prints, prints_text, put, quoted, tag, when

STR: Final = "str"
BOOL: Final = "bool"
INT: Final = "int"
ANY: Final = "any"
MAP: Final = "map"
LIST: Final = "list"
PAIRS: Final = "pairs"
"""An object as a list of its keys and values."""

_FIELDS: Final = {
    "properties": MAP, "arguments": MAP, "required": LIST, "enum": LIST, "parameters": MAP, "function": MAP,
}  # fmt: skip

SHOWN: Final = (
    "{%- macro shown(value) -%}{%- if value is none or value is undefined -%}{%- elif value is true -%}true"
    "{%- elif value is false -%}false{%- elif value is sequence and value is not string -%}{{- value|join(',') -}}"
    "{%- else -%}{{- value -}}{%- endif -%}{%- endmacro -%}\n"
)
"""Prints a value of any type as Handlebars does."""


class Value(NamedTuple):
    """A Jinja expression and what it gives."""

    code: str
    type: str = ANY


Scope = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class _Level:
    """What names mean at one depth: root variables, or the fields of one value; `place` numbers the loop's facts."""

    names: Scope | None = None
    value: Value | None = None
    place: int | None = None
    is_map: bool = False
    params: Mapping[str, Value] = field(default_factory=dict)


def to_jinja(source: str, scope: Scope, prefix: str = "part") -> tuple[str, list[str]]:
    """Return Jinja that prints what the template prints, and the macros that it calls: its inline partials.

    Raises CannotSay for what has no counterpart.
    """
    writer = _Writer(prefix)
    body = writer.program(parse(source, "template", ParseBudget()), (_Level(names=scope),))
    return body, writer.macros


class _Writer:
    def __init__(self, prefix: str) -> None:
        self._loops = 0
        self._prefix = prefix
        self._partials: set[str] = set()
        self.macros: list[str] = []

    def program(self, program: Program | None, levels: tuple[_Level, ...]) -> str:
        return "" if program is None else "".join(self._statement(one, levels) for one in program.body)

    def _statement(self, statement: Statement, levels: tuple[_Level, ...]) -> str:
        if isinstance(statement, Text):
            return prints_text(statement.value)
        if isinstance(statement, Mustache):
            return prints(_shown(self.value(_single(statement.call), levels)))
        if isinstance(statement, Block):
            return self._block(statement, levels)
        if isinstance(statement, Partial):
            return self._partial(statement, levels)
        if isinstance(statement, Inline):
            self._define(statement)
        return ""

    def _define(self, inline: Inline) -> None:
        """An inline partial as a macro of what it is called with: it knows nothing else."""
        name = _partial_name(inline.name)
        self._partials.add(name)
        body = self.program(inline.program, (_Level(value=Value("here")),))
        self.macros.append(tag(f"macro {self._prefix}_{name}(here)") + body + tag("endmacro"))

    def _partial(self, partial: Partial, levels: tuple[_Level, ...]) -> str:
        name = _partial_name(partial.name)
        if name not in self._partials or partial.keywords or partial.program is not None or partial.indent:
            raise CannotSay(f"the partial {name!r}")
        here = self.value(partial.operands[0], levels) if partial.operands else levels[-1].value
        if here is None:
            raise CannotSay(f"the partial {name!r} with every variable")
        # As in Handlebars, a partial that is called with null sees an empty object.
        return prints(f"{self._prefix}_{name}({here.code} if {here.code} is not none else {{}})")

    def _block(self, block: Block, levels: tuple[_Level, ...]) -> str:
        name = _name_of(block.call.callee)
        if name not in ("if", "unless", "each", "with") or block.call.keywords:
            raise CannotSay(f"the block {name!r}")
        operand = self.value(block.call.operands[0], levels)
        if name in ("if", "unless"):
            sides = (self.program(block.program, levels), self.program(block.inverse, levels))
            then, otherwise = sides if name == "if" else sides[::-1]
            return when(_truth(operand), then, otherwise)
        if name == "with":
            params = dict(zip(_params(block), [operand], strict=False))
            inner = self.program(block.program, (*levels, _Level(value=operand, params=params)))
            return when(_truth(operand), inner, self.program(block.inverse, levels))
        return self._each(block, operand, levels)

    def _each(self, block: Block, over: Value, levels: tuple[_Level, ...]) -> str:
        if over.type == ANY:
            return when(
                f"{over.code} is mapping",
                self._loop(block, Value(over.code, MAP), levels),
                self._loop(block, Value(over.code, LIST), levels),
            )
        return self._loop(block, over, levels)

    def _loop(self, block: Block, over: Value, levels: tuple[_Level, ...]) -> str:
        if over.type in (STR, BOOL, INT):
            return self.program(block.inverse, levels)
        self._loops += 1
        number, is_map = self._loops, over.type in (MAP, PAIRS)
        item = Value(f"v{number}")
        names = (item, Value(f"k{number}" if is_map else f"i{number}", STR if is_map else INT))
        level = _Level(value=item, place=number, is_map=is_map, params=dict(zip(_params(block), names, strict=False)))
        body = self.program(block.program, (*levels, level))
        facts = ((f"i{number}", "loop.index0"), (f"f{number}", "loop.first"), (f"l{number}", "loop.last"))
        body = "".join(put(name, code) for name, code in facts if name in body) + body
        variables = f"k{number}, v{number}" if is_map else f"v{number}"
        values, test = {
            MAP: (f"{over.code}|items", f"{over.code} and {over.code} is mapping"),
            PAIRS: (over.code, over.code),
        }.get(over.type, (over.code, f"{over.code} and {over.code} is sequence and {over.code} is not string"))
        return when(test, loop(variables, values, body), self.program(block.inverse, levels))

    def value(self, expression: Expression, levels: tuple[_Level, ...]) -> Value:
        """Return a value as an expression."""
        if isinstance(expression, Literal):
            return _literal(expression)
        if isinstance(expression, Call):
            return self._call(expression, levels)
        return _path(expression, levels)

    def _call(self, call: Call, levels: tuple[_Level, ...]) -> Value:
        name = _name_of(call.callee)
        if not call.operands and not call.keywords:
            return self.value(call.callee, levels)
        operands = [self.value(operand, levels) for operand in call.operands]
        keywords = {key: self.value(one, levels).code for key, one in call.keywords.items()}
        helper = _HELPERS.get(name or "")
        if helper is None:
            raise CannotSay(f"the helper {name!r}")
        return helper(operands, keywords)


def _partial_name(name: Expression) -> str:
    """The name of a partial, which is also a name to Jinja."""
    text = name.value if isinstance(name, Literal) else name.simple_name if isinstance(name, Path) else None
    if not isinstance(text, str) or not text.isidentifier():
        raise CannotSay("a partial that is found by its name")
    return text


def _single(call: Call) -> Expression:
    return call if call.operands or call.keywords else call.callee


def _name_of(callee: Path | Literal) -> str | None:
    return callee.simple_name if isinstance(callee, Path) and not callee.is_data else None


def _params(block: Block) -> tuple[str, ...]:
    return block.program.params if block.program is not None else ()


def _literal(literal: Literal) -> Value:
    value = literal.value
    if isinstance(value, str):
        return Value(quoted(value), STR)
    if isinstance(value, bool):
        return Value("true" if value else "false", BOOL)
    if isinstance(value, int | float):
        return Value(repr(value), INT)
    return Value("none")


def _path(path: Path, levels: tuple[_Level, ...]) -> Value:
    if path.is_data:
        return _data(path, levels)
    if path.depth >= len(levels):
        return Value("none")
    visible = levels[: len(levels) - path.depth]
    if path.parts and not path.depth:
        for level in reversed(visible):
            if path.parts[0] in level.params and not path.is_scoped:
                return _field(level.params[path.parts[0]], path.parts[1:])
    level = visible[-1]
    if level.names is not None:
        if not path.parts or path.parts[0] not in level.names:
            return Value("none")
        return _field(level.names[path.parts[0]], path.parts[1:])
    return _field(level.value or Value("none"), path.parts)


def _field(value: Value, parts: tuple[str, ...]) -> Value:
    for part in parts:
        if value.type == PAIRS:
            raise CannotSay("one argument by its name")
        if part == "length" and value.type in (STR, LIST, ANY):
            return Value(f"({value.code} or '')|length", INT)
        value = Value(f"({value.code} or {{}})[{quoted(part)}]", _FIELDS.get(part, ANY))
    return value


def _data(path: Path, levels: tuple[_Level, ...]) -> Value:
    name = path.parts[0] if path.parts else ""
    if name == "root":
        names = levels[0].names or {}
        return _field(names.get(path.parts[1], Value("none")), path.parts[2:]) if path.parts[1:] else Value("none")
    places = [level for level in levels if level.place is not None]
    if path.depth >= len(places):
        return Value("none")
    place = places[len(places) - 1 - path.depth]
    codes = {
        "index": Value(f"i{place.place}", INT),
        "first": Value(f"f{place.place}", BOOL),
        "last": Value(f"l{place.place}", BOOL),
    }
    codes["key"] = Value(f"k{place.place}", STR) if place.is_map else codes["index"]
    if name not in codes:
        raise CannotSay(f"@{name}")
    return codes[name]


def _truth(value: Value) -> str:
    """A condition that holds when the value is true in Handlebars, where an empty object is."""
    if value.type == PAIRS:
        return f"({value.code} is not none)"
    return f"({value.code} or {value.code} is mapping)" if value.type in (ANY, MAP) else value.code


def _shown(value: Value) -> str:
    if value.type in (STR, INT):
        return value.code
    if value.type == BOOL:
        return f"('true' if {value.code} else 'false')"
    return f"shown({value.code})"


def _text(value: Value) -> str:
    return value.code if value.type == STR else f"({_shown(value)})|string"


def _json(operands: list[Value], keywords: Mapping[str, str], *, compact: bool) -> Value:
    options = [f"indent={keywords['indent']}"] if "indent" in keywords else []
    if keywords.get("compact") == "true" or (compact and not options):
        options.append("separators=(',', ':')")
    if keywords.get("sort") == "true":
        options.append("sort_keys=true")
    return Value(f"{operands[0].code}|tojson" + (f"({', '.join(options)})" if options else ""), STR)


def _sorted(operands: list[Value]) -> Value:
    code, is_pairs = operands[0].code, operands[0].type == PAIRS
    return Value(f"{code}|sort(attribute='0')" if is_pairs else f"({code} or {{}})|dictsort", PAIRS)


def _kind(operands: list[Value]) -> Value:
    """The JSON name of a type; an object is a sequence to Jinja too, so it is asked for first."""
    tests = (
        ("string", "string"),
        ("boolean", "true"),
        ("boolean", "false"),
        ("number", "number"),
        ("object", "mapping"),
        ("array", "sequence"),
    )
    chain = " ".join(f"'{name}' if {operands[0].code} is {test} else" for name, test in tests)
    return Value(f"({chain} 'null')", STR)


def _python(operands: list[Value]) -> Value:
    code = operands[0].code
    words = " ".join(
        f"'{word}' if {code} is {test} else" for word, test in (("True", "true"), ("False", "false"), ("None", "none"))
    )
    return Value(f"({words} {code} if {code} is string else {code}|tojson)", STR)


def _binary(sign: str, operands: list[Value]) -> Value:
    return Value(f"({operands[0].code} {sign} {operands[1].code})", BOOL)


def _chain(word: str, operands: list[Value]) -> Value:
    types = {operand.type for operand in operands}
    return Value(
        "(" + f" {word} ".join(operand.code for operand in operands) + ")", types.pop() if len(types) == 1 else ANY
    )


_HELPERS: Final[Mapping[str, Callable[[list[Value], Mapping[str, str]], Value]]] = {
    "eq": lambda operands, _: _binary("==", operands),
    "ne": lambda operands, _: _binary("!=", operands),
    "lt": lambda operands, _: _binary("<", operands),
    "lte": lambda operands, _: _binary("<=", operands),
    "gt": lambda operands, _: _binary(">", operands),
    "gte": lambda operands, _: _binary(">=", operands),
    "not": lambda operands, _: Value(f"(not {_truth(operands[0])})", BOOL),
    "and": lambda operands, _: _chain("and", operands),
    "or": lambda operands, _: _chain("or", operands),
    "default": lambda operands, _: _chain("or", operands),
    "trim": lambda operands, _: Value(f"({_text(operands[0])})|trim", STR),
    "trimStart": lambda operands, _: Value(f"({_text(operands[0])}).lstrip()", STR),
    "trimEnd": lambda operands, _: Value(f"({_text(operands[0])}).rstrip()", STR),
    "trimLines": lambda operands, _: Value(f"({_text(operands[0])}).lstrip('\\n')", STR),
    "upper": lambda operands, _: Value(f"({_text(operands[0])})|upper", STR),
    "lower": lambda operands, _: Value(f"({_text(operands[0])})|lower", STR),
    "length": lambda operands, _: Value(f"({operands[0].code} or '')|length", INT),
    "join": lambda operands, _: Value(f"({operands[0].code} or [])|join({operands[1].code})", STR),
    "lookup": lambda operands, _: Value(f"({operands[0].code} or {{}})[{operands[1].code}]"),
    "json": lambda operands, keywords: _json(operands, keywords, compact=True),
    "tojson": lambda operands, keywords: _json(operands, keywords, compact=False),
    "sorted": lambda operands, _: _sorted(operands),
    "kind": lambda operands, _: _kind(operands),
    "includes": lambda operands, _: Value(f"({operands[1].code} in ({operands[0].code} or []))", BOOL),
    "textOrPython": lambda operands, _: _python(operands),
    "textOrJson": lambda operands, _: Value(
        f"({operands[0].code} if {operands[0].code} is string else {operands[0].code}|tojson)", STR
    ),
}
