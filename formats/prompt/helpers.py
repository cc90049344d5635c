"""The helpers of a format's templates: the documented ones, and what chat templates do with values besides."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from formats.handlebars import DEFAULT_HELPERS, HelperSet
from formats.handlebars.helpers import MAX_INDENT, Helper, HelperKind
from formats.handlebars.values import UNDEFINED, NotPrintable, Value, strictly_equal, text_of

_KINDS: Final = {
    str: "string", int: "number", float: "number", bool: "boolean", list: "array", tuple: "array", dict: "object",
}  # fmt: skip


def tojson(value: Value, indent: Value = None, compact: Value = None, sort: Value = None) -> str:
    """JSON with blanks behind comma and colon, keys in their order, no escapes for other scripts (Python's `dumps`).

    `compact`: without the blanks; `sort`: keys by name. The `json` helper writes JSON.stringify's form; both are in use
    among model families.
    """
    if value is UNDEFINED:
        return ""
    width = min(max(int(indent), 0), MAX_INDENT) if type(indent) in (int, float) else None  # type: ignore[call-overload]
    try:
        separators = (",", ":") if compact is True else None
        return json.dumps(value, ensure_ascii=False, indent=width, separators=separators, sort_keys=sort is True)
    except TypeError:
        raise NotPrintable(type(value).__name__) from None


def text_or_json(value: Value) -> str:
    """A text as it is, anything else as JSON: how most families print one argument of a call."""
    return value if type(value) is str else tojson(value)


def text_or_python(value: Value) -> str:
    """A text as it is, lists and objects as JSON, anything else as Python writes it: True, False, None, 3."""
    if type(value) is bool or value is None:
        return str(value)
    return text_or_json(value)


def kind(value: Value) -> str:
    """The JSON name of a value's type: string, number, boolean, array, object, null."""
    return _KINDS.get(type(value), "null")


def includes(value: Value, item: Value) -> bool:
    """True when a list has the item, or an object the key."""
    return type(value) in (list, tuple, dict) and any(strictly_equal(one, item) for one in value)  # type: ignore[attr-defined]


def in_key_order(value: Value) -> Value:
    """An object with its keys in order, as Jinja's `dictsort`; anything else as it is."""
    if type(value) is not dict:
        return value
    return dict(sorted(value.items(), key=lambda pair: pair[0].lower()))


def _stripping(name: str, strip: Callable[[str], str]) -> Helper:
    """A helper that takes white space off: all at the start, all at the end, or the line ends at the start."""
    return Helper(name, HelperKind.VALUE, 1, 1, lambda value: strip(text_of(value)), makes_text=True)


FORMAT_HELPERS: Final = HelperSet(
    MappingProxyType(
        {
            **DEFAULT_HELPERS.helpers,
            "tojson": Helper("tojson", HelperKind.VALUE, 1, 1, tojson, ("indent", "compact", "sort"), makes_text=True),
            "textOrJson": Helper("textOrJson", HelperKind.VALUE, 1, 1, text_or_json, makes_text=True),
            "textOrPython": Helper("textOrPython", HelperKind.VALUE, 1, 1, text_or_python, makes_text=True),
            "kind": Helper("kind", HelperKind.VALUE, 1, 1, kind, is_test=True),
            "includes": Helper("includes", HelperKind.VALUE, 2, 2, includes, is_test=True),
            "sorted": Helper("sorted", HelperKind.VALUE, 1, 1, in_key_order),
            "trimStart": _stripping("trimStart", lambda text: text.lstrip()),
            "trimEnd": _stripping("trimEnd", lambda text: text.rstrip()),
            "trimLines": _stripping("trimLines", lambda text: text.lstrip("\n")),
        }
    )
)
"""What role, section and item templates of a format may use."""
