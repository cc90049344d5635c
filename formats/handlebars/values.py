"""Values of a template: JSON types, looked up and printed the way Handlebars.js does, never by attribute or call."""

from __future__ import annotations

import math
import re
from typing import Final

Value = object
"""A JSON value, UNDEFINED, or anything else a caller passed; whatever is not JSON has no properties."""

# JavaScript's white space; Python's `\s` has \x1c-\x1f and \x85 besides, and lacks \ufeff.
WHITE_SPACE: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
LARGEST_PLAIN_NUMBER: Final = 10**21  # from here on JavaScript prints an exponent
MAX_INDEX_DIGITS: Final = 10


class Undefined:
    """The value of a name that is not there."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "undefined"

    def __bool__(self) -> bool:
        return False


UNDEFINED: Final = Undefined()


class SafeText(str):
    """Text that is printed as it is where other text is escaped."""

    __slots__ = ()


class NotPrintable(Exception):
    """A value that is not JSON was to be printed."""


_ESCAPES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;", "`": "&#x60;", "=": "&#x3D;"}
_UNSAFE: Final = re.compile("[&<>\"'`=]")


def escape_html(text: str) -> str:
    """`text` with the seven characters Handlebars.js escapes replaced by entities."""
    return _UNSAFE.sub(lambda match: _ESCAPES[match.group()], text)


def lookup(value: Value, key: str) -> Value:
    """Own property `key` of a JSON value: a dict's key, a list's or string's index, their `length`; else UNDEFINED."""
    kind = type(value)
    if kind is dict:
        return value.get(key, UNDEFINED)  # type: ignore[attr-defined]
    if kind is list or kind is tuple or kind is str or kind is SafeText:
        if key == "length":
            return len(value)  # type: ignore[arg-type]
        return _item(value, key)
    return UNDEFINED


def _item(value: Value, key: str) -> Value:
    is_index = key.isdecimal() and key.isascii() and len(key) < MAX_INDEX_DIGITS and (key == "0" or key[0] != "0")
    if is_index and int(key) < len(value):  # type: ignore[arg-type]
        return value[int(key)]  # type: ignore[index]
    return UNDEFINED


def lookup_computed(value: Value, key: Value) -> Value:
    """Own property of `value` named by a value that was computed: `lookup`'s second operand."""
    return lookup(value, key if type(key) is str else property_name(key))


def property_name(key: Value) -> str:
    """The property a value names, as JavaScript converts it."""
    if key is None:
        return "null"
    if key is UNDEFINED:
        return "undefined"
    return text_of(key)


def is_empty(value: Value) -> bool:
    """True for what `with` and `each` treat as nothing: undefined, null, false, "", NaN and []; 0 is something."""
    kind = type(value)
    if kind is str or kind is SafeText or kind is list or kind is tuple:
        return not value
    if kind is float:
        return math.isnan(value)  # type: ignore[arg-type]
    return value is None or value is UNDEFINED or value is False


def is_true(value: Value) -> bool:
    """True for what `if`, `and`, `or` and `not` treat as true: everything but empty values and 0."""
    kind = type(value)
    if kind is bool or kind is str or kind is int or kind is list or kind is SafeText or kind is tuple:
        return bool(value)
    if kind is float:
        return bool(value) and not math.isnan(value)  # type: ignore[arg-type]
    return value is not None and value is not UNDEFINED


def is_truthy(value: Value) -> bool:
    """JavaScript's truth of a value: as `is_true`, but an empty list is true."""
    return True if type(value) in (list, tuple) else is_true(value)


def same(first: Value, second: Value) -> bool:
    """True when both are one object or equal strings, numbers or booleans: the test for pushing a context."""
    if first is second:
        return True
    kind = type(first)
    return kind is type(second) and kind in (str, int, float, bool) and first == second


def strictly_equal(first: Value, second: Value) -> bool:
    """JavaScript's `===` on JSON values; lists and dicts are equal only to themselves."""
    kind, other = type(first), type(second)
    if kind is other:
        return bool(first == second) if kind in (str, int, float, bool) else first is second
    if {kind, other} == {int, float} or {kind, other} == {str, SafeText}:
        return bool(first == second)
    return first is second


def text_of(value: Value) -> str:  # noqa: PLR0911  # one for each type
    """The text a value prints as; raises NotPrintable for what is not JSON."""
    kind = type(value)
    if kind is str or kind is SafeText:
        return value  # type: ignore[return-value]
    if value is None or value is UNDEFINED:
        return ""
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is float:
        return number_text(value)  # type: ignore[arg-type]
    if kind is list or kind is tuple:
        return ",".join([text_of(item) for item in value])  # type: ignore[attr-defined]
    if kind is dict:
        return "[object Object]"
    if isinstance(value, str):
        return str.__str__(value)  # its characters, whatever the subclass makes of printing
    raise NotPrintable(kind.__name__)


def number_text(number: float) -> str:
    """A number as JavaScript prints it; integers below 1e21 keep every digit."""
    if type(number) is int and -LARGEST_PLAIN_NUMBER < number < LARGEST_PLAIN_NUMBER:
        return str(number)
    try:
        number = float(number)
    except OverflowError:
        return "Infinity" if number > 0 else "-Infinity"
    if math.isfinite(number):
        return _float_text(number)
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def _float_text(number: float) -> str:
    """Python's shortest digits, with an exponent where JavaScript has one: below 1e-6 and from 1e21 on."""
    mantissa, _, exponent = repr(number).removesuffix(".0").partition("e")
    if not exponent:
        return mantissa if number else "0"
    power = int(exponent)
    if power < -6 or power >= 21:
        return f"{mantissa}e{power:+d}"
    sign, digits = ("-" if number < 0 else ""), mantissa.lstrip("-").replace(".", "")
    return sign + ("0." + "0" * (-power - 1) + digits if power < 0 else digits.ljust(power + 1, "0"))
