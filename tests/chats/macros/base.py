"""A scope for tests: Bob speaks with Alice on a Friday afternoon."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from chats.macros import Line, MacroScope, expand

NOW = datetime(2026, 7, 31, 14, 5, tzinfo=UTC)


def scope(**changes: Any) -> MacroScope:
    return MacroScope(**({"user": "Bob", "char": "Alice", "now": NOW, "seed": 7} | changes))


def text(source: str, **changes: Any) -> str:
    return expand(source, scope(**changes)).text


def codes(source: str, **changes: Any) -> list[tuple[str, str]]:
    """The findings, as code and macro."""
    return [(finding.code, finding.data["macro"]) for finding in expand(source, scope(**changes)).findings]


def said(*lines: str) -> tuple[Line, ...]:
    return tuple(Line(*line.split(": ", 1)) for line in lines)
