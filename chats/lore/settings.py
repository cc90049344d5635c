"""What an activation is told besides books and texts: settings, the chat's memory, and chance."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from chats.documents.fields import GenerationType
from chats.documents.lorebook import Place
from chats.lore.compiled import EntryRef

SCAN_DEPTH: Final = 11
"""The newest message and the ten before it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens that lore may take: a number, a share of the context, or the smaller of both; neither means no limit."""

    tokens: int | None = None
    percent: float | None = None

    def limit(self, context: int | None) -> int | None:
        """Return the number of tokens for a context of `context` tokens; a share of an unknown context is no limit."""
        share = None if self.percent is None or context is None else int(context * self.percent / 100)
        given = [limit for limit in (self.tokens, share) if limit is not None]
        return min(given, default=None)


@dataclass(frozen=True, slots=True)
class LoreSettings:
    """How to search. `speaker` is who answers next; `places` are the texts that entries may ask for by name.

    `private` are entries that are not for this speaker; `named` writes names into a book's texts, by the book's id.
    """

    scan_depth: int = SCAN_DEPTH
    recursive: bool = False
    max_recursion_steps: int | None = None
    min_activations: int = 0
    max_scan_depth: int | None = None
    budget: Budget = Budget()
    context_tokens: int | None = None
    generation_type: GenerationType = "normal"
    speaker: str = ""
    speaker_tags: frozenset[str] = frozenset()
    places: Mapping[Place, str] = field(default_factory=dict)
    private: frozenset[EntryRef] = frozenset()
    named: Mapping[str, Callable[[str], str]] = field(default_factory=dict)


class Timed(NamedTuple):
    """What a chat remembers of one entry, in numbers of messages: in by itself before `sticky_until`, held back from
    then to before `cooldown_until`."""

    sticky_until: int
    cooldown_until: int


@dataclass(frozen=True, slots=True)
class LoreState:
    """What a stored chat remembers: how many messages it has, and what its entries did."""

    message_count: int
    entries: Mapping[EntryRef, Timed] = field(default_factory=dict)


class Rolls(Protocol):
    """Chance: equal names give equal numbers."""

    def roll(self, *names: str) -> float:
        """Return a number from 0 to below 1."""


class SeededRolls:
    """Chance that follows from a seed. One entry's roll does not depend on which others there are."""

    __slots__ = ("_seed",)

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def roll(self, *names: str) -> float:
        """Return a number from 0 to below 1."""
        text = "\0".join((str(self._seed), *names))
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return (int.from_bytes(digest, "big") >> 11) / 2**53
