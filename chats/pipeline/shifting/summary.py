"""A summary without a model: the beginnings of what left, the newest first, in as many tokens as there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from formats.prompt.message import Message

HEADING: Final = "[Summary of earlier messages]"
ORIGIN: Final = "block:summary"
SHARE: Final = 0.35
MOST: Final = 128
LEAST: Final = 8
"""Tokens of a summary: this share of the budget, within these bounds."""

EXCERPT: Final = 160
HEAD, TAIL = 104, 40


def summary_limit(available: int) -> int:
    """Return how many tokens a summary may have."""
    return max(LEAST, min(MOST, int(available * SHARE)))


def summary_of(gone: Sequence[Message], limit: int, count: Callable[[str], int]) -> str:
    """Return lines `role: excerpt` of what left, oldest first, as many of the newest as fit; empty when none does."""
    lines: list[str] = []
    used = count(HEADING)
    for message in reversed(gone):
        line = f"{message.name or message.role}: {_excerpt(message.plain)}"
        cost = count(line) + 1
        if used + cost > limit:
            break
        used += cost
        lines.append(line)
    return "\n".join([HEADING, *reversed(lines)]) if lines else ""


def _excerpt(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= EXCERPT else f"{flat[:HEAD]} … {flat[-TAIL:]}"
