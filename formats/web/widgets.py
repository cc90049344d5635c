"""Values of the document as text in a form field, and back."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from formats.web.field import Field

BOOLEANS = {"true": True, "false": False}
_WRITTEN = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_READ = {"\\": "\\", "n": "\n", "r": "\r", "t": "\t", "=": "="}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.)|$)")
_MEANING = re.compile(r"(?<!\\)\s= ?([^=]+)\Z")


class Unreadable(ValueError):
    """A field whose text means nothing; `line` and `column` count from 1."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column


def to_text(field: Field, value: Any) -> str:
    """Return what the field shows for `value`."""
    if value is None:
        return ""
    if isinstance(value, list) and field.widget in _JOINED:
        separator, shown = _JOINED[field.widget]
        return separator.join(shown(item) for item in value)
    if field.widget == "json":
        return json.dumps(value, ensure_ascii=False, indent=2) if value != field.default else ""
    return json.dumps(value) if field.widget == "boolean" else str(value)


def from_text(field: Field, text: str) -> Any:
    """Return the value that `text` means. Raises Unreadable with its place."""
    if field.widget == "json":
        return _json(text) if text.strip() else field.default
    if field.widget in _READERS:
        return _READERS[field.widget](text)
    return BOOLEANS.get(text) if field.widget == "boolean" else text


def _lines(text: str) -> list[str]:
    return [unescaped(line, number) for number, line in enumerate(text.split("\n"), 1) if line]


def _tokens(text: str) -> list[Any]:
    return [_token(line, number) for number, line in enumerate(text.split("\n"), 1) if line]


def _tags(text: str) -> list[str]:
    return list(dict.fromkeys(tag.strip() for tag in text.split(",") if tag.strip()))


def _items(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def escaped(text: str) -> str:
    """Return `text` on one line."""
    return "".join(_WRITTEN.get(character, character) for character in text)


def unescaped(line: str, number: int) -> str:
    """Return the text that a line with escapes means. Raises Unreadable."""

    def one(match: re.Match[str]) -> str:
        code, letter = match.groups()
        if code:
            return chr(int(code, 16))
        if letter not in _READ:
            message = _("%(escape)s means nothing here; write \\\\ for a backslash.") % {"escape": match[0]}
            raise Unreadable(message, number, match.start() + 1)
        return _READ[letter]

    return _ESCAPE.sub(one, line)


def _token_line(item: Any) -> str:
    if not isinstance(item, dict):
        return escaped(str(item)).replace(" =", " \\=")
    token = escaped(str(item.get("token", ""))).replace(" =", " \\=")
    return f"{token} = {item['meaning']}" if item.get("meaning") else token


def _token(line: str, number: int) -> Any:
    meaning = _MEANING.search(line)
    if meaning is None:
        return unescaped(line, number)
    return {"token": unescaped(line[: meaning.start()], number), "meaning": meaning[1].strip()}


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        message = _("This is not JSON: %(why)s.") % {"why": error.msg}
        raise Unreadable(message, error.lineno, error.colno) from error
    except RecursionError as error:
        raise Unreadable(_("This is nested too deeply."), 1, 1) from error


def _number(text: str) -> int | None:
    if not text.strip():
        return None
    try:
        return int(text)
    except ValueError as error:
        raise Unreadable(_("This is not a whole number.")) from error


def _decimal(text: str) -> float | int | None:
    """Return a number; one without a fraction is a whole number, as documents write it."""
    if not text.strip():
        return None
    try:
        number = float(text.strip().replace(",", "."))
    except ValueError as error:
        raise Unreadable(_("This is not a number.")) from error
    if not math.isfinite(number):
        raise Unreadable(_("This is not a number."))
    return int(number) if number.is_integer() else number


_JOINED: dict[str, tuple[str, Callable[[Any], str]]] = {
    "lines": ("\n", lambda item: escaped(str(item))),
    "tokens": ("\n", _token_line),
    "tags": (", ", str),
    "items": ("\n", str),
}
"""Widgets that show a list: what stands between its items, and how each is written."""

_READERS: dict[str, Callable[[str], Any]] = {
    "lines": _lines,
    "tokens": _tokens,
    "tags": _tags,
    "items": _items,
    "number": _number,
    "decimal": _decimal,
}
