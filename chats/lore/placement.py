"""Where activated lore stands: texts for the places of a prompt, and messages to put among the newest ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from chats.documents.fields import Role
from chats.documents.lorebook import Position
from chats.lore.outcome import Hit

T = TypeVar("T")

JOINER: Final = "\n"
_ROLE_ORDER: Final[Mapping[Role, int]] = {"assistant": 0, "user": 1, "system": 2}
"""At one depth, from top to bottom: what the system says stands nearest to the end."""


class Injection(NamedTuple):
    """A message to put `depth` messages before the end; `hits` made its text."""

    depth: int
    role: Role
    text: str
    hits: tuple[Hit, ...]


def by_position(hits: Iterable[Hit]) -> dict[Position, tuple[Hit, ...]]:
    """Return the hits of each position in prompt order; blank texts stand nowhere."""
    placed: dict[Position, list[Hit]] = {}
    for hit in hits:
        if hit.text.strip():
            placed.setdefault(hit.compiled.entry.position, []).append(hit)
    return {position: tuple(listed) for position, listed in placed.items()}


def injections(hits: Iterable[Hit]) -> list[Injection]:
    """Return one message for each depth and role, deepest first; the text of a lower `order` stands first in it."""
    grouped: dict[tuple[int, Role], list[Hit]] = {}
    for hit in by_position(hits).get("at_depth", ()):
        grouped.setdefault((hit.compiled.entry.depth, hit.compiled.entry.role), []).append(hit)
    ordered = sorted(grouped, key=lambda place: (-place[0], _ROLE_ORDER[place[1]]))
    return [
        Injection(*place, JOINER.join(hit.text for hit in grouped[place]), tuple(grouped[place])) for place in ordered
    ]


def inject(history: Sequence[T], added: Iterable[tuple[int, T]]) -> list[T]:
    """Return `history` with each (depth, item) put that many items before its end, never above its first.

    Items of one depth keep their order.
    """
    at: dict[int, list[T]] = {}
    for depth, item in added:
        at.setdefault(max(0, len(history) - depth), []).append(item)
    woven: list[T] = []
    for index, item in enumerate(history):
        woven.extend(at.get(index, ()))
        woven.append(item)
    return woven + at.get(len(history), [])
