"""chat_bricks' templates: literal text with single-brace slots, in a closed grammar.

There they are Python's `str.format` strings, which can reach attributes and make huge texts; here a slot is a bare name
out of a fixed list, and `{{` and `}}` are braces.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, NamedTuple

from formats.interchange.wording import literal
from formats.prompt.errors import TEMPLATE_SYNTAX, Fault, FormatError

_PIECE: Final = re.compile(r"\{\{|\}\}|\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)\}|[{}]")


class Slot(NamedTuple):
    """The place of a value."""

    name: str


def parse_slots(text: str, names: Collection[str], path: str) -> list[str | Slot]:
    """Return literal texts and slots. Raises FormatError, located, for anything but a bare name out of `names`."""
    parts: list[str | Slot] = []
    at, literal_text = 0, ""
    for match in _PIECE.finditer(text):
        literal_text += text[at : match.start()]
        at = match.end()
        if match[0] in ("{{", "}}"):
            literal_text += match[0][0]
            continue
        if match["name"] not in names:
            raise FormatError(_fault(text, match, names, path))
        if literal_text:
            parts.append(literal_text)
            literal_text = ""
        parts.append(Slot(match["name"]))
    literal_text += text[at:]
    return [*parts, literal_text] if literal_text else parts


def _fault(text: str, match: re.Match[str], names: Collection[str], path: str) -> Fault:
    before = text[: match.start()]
    line, column = before.count("\n") + 1, match.start() - (before.rfind("\n") + 1) + 1
    known = ", ".join(f"{{{name}}}" for name in sorted(names))
    if match["name"]:
        message = f"unknown slot {match[0]}; known here: {known}"
    else:
        message = f"a lone brace; a slot is a name alone ({known}), a brace is written twice"
    return Fault(path, message, TEMPLATE_SYNTAX, line, column)


def to_handlebars(parts: list[str | Slot], values: dict[str, str]) -> str:
    """Return a template of ours: literals as they are, each slot as the source that `values` has for it."""
    return "".join(
        values[part.name] if isinstance(part, Slot) else literal(part, before=True, after=True) for part in parts
    )


def written(parts: list[str | Slot]) -> str:
    """Return slots and literals as chat_bricks writes them."""
    return "".join(
        f"{{{part.name}}}" if isinstance(part, Slot) else part.replace("{", "{{").replace("}", "}}") for part in parts
    )
