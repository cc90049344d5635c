"""The helpers of a format's templates: the documented ones, and what chat templates do with values besides."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from formats.handlebars import DEFAULT_HELPERS, HelperSet
from formats.handlebars.helpers import MAX_INDENT, Helper, HelperKind
from formats.handlebars.values import UNDEFINED, NotPrintable, Value, text_of


def tojson(value: Value, indent: Value = None) -> str:
    """JSON with blanks behind comma and colon, keys in their order, no escapes for other scripts (Python's `dumps`).

    The `json` helper writes JSON.stringify's form, without blanks; both are in use among model families.
    """
    if value is UNDEFINED:
        return ""
    width = min(max(int(indent), 0), MAX_INDENT) if type(indent) in (int, float) else None  # type: ignore[call-overload]
    try:
        return json.dumps(value, ensure_ascii=False, indent=width)
    except TypeError:
        raise NotPrintable(type(value).__name__) from None


def text_or_json(value: Value) -> str:
    """A text as it is, anything else as JSON: how most families print one argument of a call."""
    return value if type(value) is str else tojson(value)


def _stripping(name: str, strip: Callable[[str], str]) -> Helper:
    """A helper that takes white space off: all at the start, all at the end, or the line ends at the start."""
    return Helper(name, HelperKind.VALUE, 1, 1, lambda value: strip(text_of(value)), makes_text=True)


FORMAT_HELPERS: Final = HelperSet(
    MappingProxyType(
        {
            **DEFAULT_HELPERS.helpers,
            "tojson": Helper("tojson", HelperKind.VALUE, 1, 1, tojson, ("indent",), makes_text=True),
            "textOrJson": Helper("textOrJson", HelperKind.VALUE, 1, 1, text_or_json, makes_text=True),
            "trimStart": _stripping("trimStart", lambda text: text.lstrip()),
            "trimEnd": _stripping("trimEnd", lambda text: text.rstrip()),
            "trimLines": _stripping("trimLines", lambda text: text.lstrip("\n")),
        }
    )
)
"""What role, section and item templates of a format may use."""
