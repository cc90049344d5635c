"""The documented helpers: names, operands, and the functions of values behind them.

A function sees values only, never the context. Blocks (`if`, `each` …), the short-circuiting `and`, `or` and `default`,
and the role blocks have no function here: the compiler builds them in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from json.encoder import encode_basestring
from types import MappingProxyType
from typing import Final

from formats.handlebars.values import (
    UNDEFINED,
    WHITE_SPACE,
    NotPrintable,
    Undefined,
    Value,
    is_true,
    is_truthy,
    lookup_computed,
    number_text,
    strictly_equal,
    text_of,
)

MAX_INDENT: Final = 10  # as JSON.stringify


class HelperKind(Enum):
    """How the compiler treats a helper."""

    VALUE = 1  # a function of its operands
    LAZY = 2  # `and`, `or`, `default`: evaluates only what it needs
    BLOCK = 3  # if, unless, each, with
    ROLE = 4  # a block whose inside is a region of its own


def _built_in(*operands: Value) -> Value:
    raise NotImplementedError("the compiler builds this helper in")


@dataclass(frozen=True, slots=True)
class Helper:
    """What a template may pass to a helper, and what becomes of it."""

    name: str
    kind: HelperKind
    least: int = 0
    most: int | None = None
    function: Callable[..., Value] = _built_in
    keywords: tuple[str, ...] = ()
    makes_text: bool = False  # the result may be new text: it is charged to the budget
    is_test: bool = False  # true or false, so nothing of its operands reaches the output


@dataclass(frozen=True, eq=False, slots=True)
class HelperSet:
    """The helpers a template may use; compared by identity, so that it can be part of a cache key."""

    helpers: Mapping[str, Helper]

    def get(self, name: str) -> Helper | None:
        """The helper of that name."""
        return self.helpers.get(name)


def less_than(first: Value, second: Value) -> bool:
    """True for two numbers or two strings in order; false for anything else."""
    if type(first) is str and type(second) is str:
        return first < second
    if type(first) in (int, float) and type(second) in (int, float):
        return first < second  # type: ignore[operator, no-any-return]
    return False


def at_most(first: Value, second: Value) -> bool:
    """True for two numbers or two strings in order or equal."""
    if type(first) is str and type(second) is str:
        return first <= second
    if type(first) in (int, float) and type(second) in (int, float):
        return first <= second  # type: ignore[operator, no-any-return]
    return False


def lookup_helper(value: Value, key: Value) -> Value:
    """`lookup value key`; nothing stays nothing."""
    return lookup_computed(value, key) if is_truthy(value) else value


def join(value: Value, separator: Value = ",") -> str:
    """The texts of a list's items with the separator between; of anything else, its text."""
    if type(value) in (list, tuple):
        return text_of(separator).join([text_of(item) for item in value])  # type: ignore[attr-defined]
    return text_of(value)


def length(value: Value) -> int:
    """Items of a list, characters of a string, keys of an object; 0 for anything else."""
    return len(value) if type(value) in (str, list, tuple, dict) else 0  # type: ignore[arg-type]


def json_text(value: Value, indent: Value = None) -> str:
    """JSON as JSON.stringify writes it; `indent` is a number of spaces."""
    width = min(max(int(indent), 0), MAX_INDENT) if type(indent) in (int, float) else 0  # type: ignore[call-overload]
    return "" if value is UNDEFINED else _json(value, " " * width, "")


def _json(value: Value, indent: str, margin: str) -> str:
    kind = type(value)
    if kind is str:
        return encode_basestring(str(value))
    if kind in (int, float):
        return number_text(value) if value - value == 0 else "null"  # type: ignore[operator, arg-type]
    if kind is list or kind is tuple:
        parts = [_json(item, indent, margin + indent) for item in value]  # type: ignore[attr-defined]
        return _enclosed(parts, "[]", indent, margin)
    if kind is dict:
        colon = ": " if indent else ":"
        items = value.items()  # type: ignore[attr-defined]
        parts = [f"{encode_basestring(key)}{colon}{_json(item, indent, margin + indent)}" for key, item in items]
        return _enclosed(parts, "{}", indent, margin)
    if value is None or kind is bool or kind is Undefined:
        return {True: "true", False: "false"}.get(value, "null")  # type: ignore[call-overload, no-any-return]
    raise NotPrintable(kind.__name__)


def _enclosed(parts: list[str], brackets: str, indent: str, margin: str) -> str:
    if not indent or not parts:
        return brackets[0] + ",".join(parts) + brackets[1]
    inner = ",\n".join([margin + indent + part for part in parts])
    return f"{brackets[0]}\n{inner}\n{margin}{brackets[1]}"


def _value(name: str, function: Callable[..., Value], least: int, most: int | None = None) -> Helper:
    return Helper(name, HelperKind.VALUE, least, least if most is None else most, function)


def _test(name: str, function: Callable[..., bool], operands: int = 2) -> Helper:
    return Helper(name, HelperKind.VALUE, operands, operands, function, is_test=True)


def _text(name: str, function: Callable[..., str], most: int = 1, keywords: tuple[str, ...] = ()) -> Helper:
    return Helper(name, HelperKind.VALUE, 1, most, function, keywords, makes_text=True)


DEFAULT_HELPERS: Final = HelperSet(
    MappingProxyType(
        {
            helper.name: helper
            for helper in (
                Helper("if", HelperKind.BLOCK, 1, 1, keywords=("includeZero",)),
                Helper("unless", HelperKind.BLOCK, 1, 1, keywords=("includeZero",)),
                Helper("each", HelperKind.BLOCK, 1, 1),
                Helper("with", HelperKind.BLOCK, 1, 1),
                _value("lookup", lookup_helper, 2),
                _test("eq", strictly_equal),
                _test("ne", lambda first, second: not strictly_equal(first, second)),
                _test("lt", less_than),
                _test("lte", at_most),
                _test("gt", lambda first, second: less_than(second, first)),
                _test("gte", lambda first, second: at_most(second, first)),
                _test("not", lambda value: not is_true(value), 1),
                Helper("and", HelperKind.LAZY, 1),
                Helper("or", HelperKind.LAZY, 1),
                Helper("default", HelperKind.LAZY, 2, 2),
                _text("trim", lambda value: text_of(value).strip(WHITE_SPACE)),
                _text("upper", lambda value: text_of(value).upper()),
                _text("lower", lambda value: text_of(value).lower()),
                _text("join", join, 2),
                _value("length", length, 1),
                _text("json", json_text, keywords=("indent",)),
            )
        }
    )
)
"""The helpers of every template."""

ROLE_BLOCKS: Final = MappingProxyType(
    {"systemBlock": "system", "userBlock": "user", "assistantBlock": "assistant", "toolBlock": "tool"}
)
"""Role blocks and the kind of region they open."""

ROLE_KEYWORDS: Final = ("name", "open")
"""What a role block may say about its message: the speaker's name; true when the message is to be continued."""

CONTEXT_HELPERS: Final = HelperSet(
    MappingProxyType(
        {**DEFAULT_HELPERS.helpers}
        | {name: Helper(name, HelperKind.ROLE, 0, 0, keywords=ROLE_KEYWORDS) for name in ROLE_BLOCKS}
    )
)
"""The helpers of a context template: the documented ones and the role blocks."""
