"""Values of the document as text in a form field, and back."""

from __future__ import annotations

import json
import re
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
    if field.widget == "lines" and isinstance(value, list):
        return "\n".join(escaped(str(item)) for item in value)
    if field.widget == "tokens" and isinstance(value, list):
        return "\n".join(_token_line(item) for item in value)
    if field.widget == "tags" and isinstance(value, list):
        return ", ".join(str(tag) for tag in value)
    if field.widget == "json":
        return json.dumps(value, ensure_ascii=False, indent=2) if value != field.default else ""
    return json.dumps(value) if field.widget == "boolean" else str(value)


def from_text(field: Field, text: str) -> Any:
    """Return the value that `text` means. Raises Unreadable with its place."""
    if field.widget == "lines":
        return [unescaped(line, number) for number, line in enumerate(text.split("\n"), 1) if line]
    if field.widget == "tokens":
        return [_token(line, number) for number, line in enumerate(text.split("\n"), 1) if line]
    if field.widget == "tags":
        return list(dict.fromkeys(tag.strip() for tag in text.split(",") if tag.strip()))
    if field.widget == "json":
        return _json(text) if text.strip() else field.default
    if field.widget == "number":
        return _number(text)
    return BOOLEANS.get(text) if field.widget == "boolean" else text


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
