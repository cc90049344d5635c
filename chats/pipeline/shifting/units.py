"""Units: what leaves a prompt together, and what may not leave it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from chats.pipeline.pairs import groups_of
from formats.prompt.message import Message

Sort = Literal["history", "lore", "memory", "other"]
OPTIONAL: Final = ("lore:", "memory:", "interceptor:")
"""Origins whose messages may be dropped whatever their role, unless they are pinned."""


class Unit(NamedTuple):
    """Messages that leave together: one, or a tool call with its results. `places` are their places in the prompt."""

    places: tuple[int, ...]
    cost: int
    is_protected: bool
    sort: Sort
    relevance: float = 1.0
    priority: int = 0

    @property
    def first(self) -> int:
        """The place of its first message."""
        return self.places[0]


def units_of(messages: Sequence[Message], costs: Sequence[int], *, is_continued: bool = False) -> list[Unit]:
    """Return the units of a prompt in order; excluded messages are in none.

    Protected are system messages, pinned ones, what is required, the newest user input, and an open last message.
    """
    protected = _protected_places(messages, is_continued=is_continued)
    if not any(message.role == "tool" or message.tool_calls for message in messages):
        return [
            _unit(messages, (place,), costs[place], place in protected or _stays(message))
            for place, message in enumerate(messages)
            if not message.excluded
        ]
    members: dict[int, list[int]] = {}
    for place, group in enumerate(groups_of(messages)):
        if not messages[place].excluded:
            members.setdefault(group, []).append(place)
    return [
        _unit(
            messages,
            tuple(places),
            sum(costs[place] for place in places),
            any(place in protected or _stays(messages[place]) for place in places),
        )
        for places in members.values()
    ]


def _protected_places(messages: Sequence[Message], *, is_continued: bool) -> set[int]:
    """Return the place of the newest user input, and of the last message when it is open."""
    protected: set[int] = set()
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if message.role == "user" and not message.excluded and sort_of(message) == "history":
            protected.add(place)
            break
    if is_continued and messages:
        protected.add(len(messages) - 1)
    return protected


def _stays(message: Message) -> bool:
    if message.pinned:
        return True
    sort = sort_of(message)
    return sort == "other" or (sort == "history" and message.role == "system")


def _unit(messages: Sequence[Message], places: tuple[int, ...], cost: int, is_protected: bool) -> Unit:
    message = messages[places[0]]
    sort = sort_of(message)
    if sort == "history" or not message.meta:
        return Unit(places, cost, is_protected, sort)
    rank = message.meta.get("rank")
    relevance = 1 / (2 + rank) if isinstance(rank, int) else float(message.meta.get("relevance", 1.0))
    return Unit(places, cost, is_protected, sort, relevance, int(message.meta.get("priority", 0)))


def sort_of(message: Message) -> Sort:
    """Return what kind of source a message comes from."""
    origin = message.origin
    if origin in ("history", "input"):
        return "history"
    if origin.startswith("lore:"):
        return "lore"
    if origin.startswith("memory:"):
        return "memory"
    return "history" if origin.startswith("interceptor:") and message.role != "system" else _other(origin)


def _other(origin: str) -> Sort:
    return "memory" if origin.startswith("interceptor:") else "other"
