"""What each signal is worth, for each kind of candidate. The sums are those of Serene Pub 0.5."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from chats.infill.types import CandidateKind

_LORE: Final = {"keyword": 0.35, "name": 0.25, "company": 0.20, "tfidf": 0.10, "lastSaid": 0.10}

WEIGHTS: Final[Mapping[CandidateKind, Mapping[str, float]]] = {
    "world": _LORE,
    "character": _LORE,
    "history": {"recency": 0.20, "keyword": 0.35, "tfidf": 0.10, "scene": 0.10, "lastSaid": 0.10},
    "message": {"recency": 0.30, "tfidf": 0.10, "scene": 0.15, "density": 0.10},
}

PRIORITY_STEP: Final = 0.15
"""Added for each step of priority above normal, to world and character lore."""

HIGHEST: Final = 2
"""Priorities above very high count as very high, and those below normal as normal: other programs count to hundreds."""

FADING: Final = 0.01
"""By how much, as an exponent, one message in between weakens what was said."""

LOOKBACK: Final = 500
"""Messages from the end in which the last mention is looked for: farther back it would be worth less than 0.001."""


def bonus(kind: CandidateKind, priority: int) -> float:
    """Return what a priority adds to the score."""
    return PRIORITY_STEP * min(max(priority, 0), HIGHEST) if kind in ("world", "character") else 0.0
