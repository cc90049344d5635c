"""Puts messages among the newest ones, without parting a tool call from its results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from formats.prompt.message import Message

ROLE_ORDER: Final = {"assistant": 0, "user": 1, "system": 2, "tool": 3}
"""At one depth and order, from top to bottom."""


class Placed(NamedTuple):
    """A message and its place among those given, None for one that was made."""

    message: Message
    given: int | None = None


class Insertion(NamedTuple):
    """A message to put `depth` messages before the end."""

    depth: int
    message: Message
    order: int = 100


def weave(history: Sequence[Placed], insertions: Iterable[Insertion]) -> list[Placed]:
    """Return `history` with the insertions in it, never above its first message, nor its leading system messages.

    Depth counts messages of the history. At one depth a lower order stands first, then assistant, user, system; what
    is equal in both keeps its order. An insertion never stands between a tool call and its results: it goes above.
    """
    at: dict[int, list[Insertion]] = {}
    for insertion in insertions:
        at.setdefault(_boundary(history, insertion.depth), []).append(insertion)
    if not at:
        return list(history)
    woven: list[Placed] = []
    for index in range(len(history) + 1):
        here = sorted(at.get(index, ()), key=lambda one: (-one.depth, one.order, ROLE_ORDER[one.message.role]))
        woven += [Placed(one.message) for one in here]
        if index < len(history):
            woven.append(history[index])
    return woven


def _leading(history: Sequence[Placed]) -> int:
    """Return how many system messages the history begins with: instructions, which nothing said floats above."""
    return next((at for at, one in enumerate(history) if one.message.role != "system"), len(history))


def _boundary(history: Sequence[Placed], depth: int) -> int:
    place = max(_leading(history), len(history) - depth)
    while 0 < place < len(history) and history[place].message.role == "tool":
        place -= 1
    return place
