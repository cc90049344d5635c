"""Facts as JSON text: key order and letters as they are, nothing overwritten, and nothing at all when there is none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

INDENT = 2


def indented(value: Any) -> str:
    """Return JSON with two spaces of indent; empty for an empty value, so that a template's `if` leaves it out."""
    return json.dumps(value, ensure_ascii=False, indent=INDENT) if value else ""


def compact(value: Any) -> str:
    """Return JSON on one line; empty for an empty value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else ""


def keyed(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return an object of name → text in order. A name that is there already gets a number: `Gate`, `Gate (2)`."""
    made: dict[str, str] = {}
    for name, text in pairs:
        key, number = name, 1
        while key in made:
            number += 1
            key = f"{name} ({number})"
        made[key] = text
    return made


def filled(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of those fields that hold something, in order."""
    return {name: value for name, value in fields if value}


def phrase(names: Sequence[str]) -> str:
    """Return names as one phrase: `A`, `A and B`, `A, B, and C`."""
    if len(names) < 3:
        return " and ".join(names)
    return f"{', '.join(names[:-1])}, and {names[-1]}"


def date_text(year: int, month: int | None, day: int | None) -> str:
    """Return a date as far as it is known: `412`, `412-03`, `412-03-05`. Names no calendar."""
    parts = [str(year), *(f"{part:02d}" for part in (month, day) if part)]
    return "-".join(parts)
