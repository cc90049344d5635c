"""The bar under the prompt: one stretch for each message, as wide as its share of the characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from formats.prompt.segments import Segment

WIDTH = 1000
MOST_RECTS = 300
ROLES = ("system", "user", "assistant", "tool")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A rectangle: `role` is the colour, markup is hatched."""

    x: str
    width: str
    role: str
    is_markup: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """The stretches, and the characters of each role, markup apart."""

    stretches: list[Stretch]
    totals: dict[str, int]
    characters: int


def bar_of(segments: Sequence[Segment], messages: Sequence[dict[str, Any]]) -> Bar:
    """Return the bar of a prompt."""
    runs: list[tuple[str, bool, int]] = []
    totals = dict.fromkeys((*ROLES, "markup"), 0)
    for segment in segments:
        role, is_markup = _role(segment, messages), segment.kind == "markup"
        totals["markup" if is_markup else role] += len(segment.text)
        if runs and runs[-1][:2] == (role, is_markup):
            runs[-1] = (role, is_markup, runs[-1][2] + len(segment.text))
        else:
            runs.append((role, is_markup, len(segment.text)))
    characters = sum(length for _, _, length in runs)
    return Bar(_stretches(_merged(runs), characters), {k: v for k, v in totals.items() if v}, characters)


def _role(segment: Segment, messages: Sequence[dict[str, Any]]) -> str:
    number = segment.message_index
    if number is None or number >= len(messages):
        return "markup" if segment.kind == "markup" else "system"
    role = str(messages[number].get("role", "")).casefold()
    return role if role in ROLES else "user"


def _merged(runs: list[tuple[str, bool, int]]) -> list[tuple[str, bool, int]]:
    """Return fewer stretches for a long conversation: neighbours are joined, the longer one gives the colour."""
    while len(runs) > MOST_RECTS:
        pairs = [runs[at : at + 2] for at in range(0, len(runs), 2)]
        runs = [(*max(pair, key=lambda run: run[2])[:2], sum(run[2] for run in pair)) for pair in pairs]
    return runs


def _stretches(runs: list[tuple[str, bool, int]], characters: int) -> list[Stretch]:
    made, at = [], 0
    for role, is_markup, length in runs:
        made.append(Stretch(f"{WIDTH * at / characters:.2f}", f"{WIDTH * length / characters:.2f}", role, is_markup))
        at += length
    return made
