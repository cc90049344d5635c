"""The helpers of a format's templates: the documented ones, and `tojson`, which writes JSON as chat templates do."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import Final

from formats.handlebars import DEFAULT_HELPERS, HelperSet
from formats.handlebars.helpers import MAX_INDENT, Helper, HelperKind
from formats.handlebars.values import UNDEFINED, NotPrintable, Value


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


FORMAT_HELPERS: Final = HelperSet(
    MappingProxyType(
        {
            **DEFAULT_HELPERS.helpers,
            "tojson": Helper("tojson", HelperKind.VALUE, 1, 1, tojson, ("indent",), makes_text=True),
        }
    )
)
"""What role, section and item templates of a format may use."""
