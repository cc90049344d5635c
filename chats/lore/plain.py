"""Plain keys: one automaton for all of them, so a text is read once however many keys there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ahocorasick_rs import AhoCorasick, Implementation

from chats.lore.folding import is_boundary

NESTING: Final = 16
"""Keys that end in each other (`rose`, `red rose`, `a red rose`) hit at the same place. So many of them at most go into
the automaton, which bounds its answers to this many for each character of the text."""

NESTED_LIMIT: Final = 100
"""Keys beyond NESTING that are looked for one by one; still more are never found, and a finding says so."""

_WINDOW: Final = 16_384


class PlainKeys:
    """Which of many texts occur in a text. `slots`: text → (id of it anywhere, id of it as whole words)."""

    __slots__ = ("_automaton", "_longest", "_nested", "_slots", "lost")

    def __init__(self, slots: Mapping[str, tuple[int | None, int | None]]) -> None:
        flat, nested = _by_nesting(slots)
        self.lost = tuple(nested[NESTED_LIMIT:])
        self._nested = tuple((text, *slots[text]) for text in nested[:NESTED_LIMIT])
        self._slots = tuple(slots[text] for text in flat)
        self._longest = max(map(len, flat), default=0)
        # The small forms of the automaton win on ten keys and lose on thousands: one form costs the same on both
        self._automaton = AhoCorasick(
            flat, implementation=Implementation.ContiguousNFA, store_patterns=False
        ) if flat else None  # fmt: skip

    def __bool__(self) -> bool:
        return bool(self._slots)

    def scan(self, text: str, found: set[int]) -> None:
        """Add the ids of the keys that occur in `text` to `found`."""
        if self._automaton is not None:
            for first in range(0, max(len(text), 1), _WINDOW):
                self._window(text, first, found)
        for key, anywhere, whole in self._nested:
            if anywhere is not None and anywhere not in found and key in text:
                found.add(anywhere)
            if whole is not None and whole not in found and any(_whole(text, key)):
                found.add(whole)

    def _window(self, text: str, first: int, found: set[int]) -> None:
        """Search one piece, and as much behind it as a key that begins in it may reach."""
        assert self._automaton is not None  # noqa: S101 - scan() asked
        piece = text[first : first + _WINDOW + self._longest] if len(text) > _WINDOW else text
        slots = self._slots
        for index, start, end in self._automaton.find_matches_as_indexes(piece, overlapping=True):
            anywhere, whole = slots[index]
            if anywhere is not None:
                found.add(anywhere)
            if whole is None or whole in found:
                continue
            if is_boundary(text, first + start) and is_boundary(text, first + end):
                found.add(whole)


def _whole(text: str, key: str) -> Iterator[bool]:
    at = text.find(key)
    while at >= 0:
        if is_boundary(text, at) and is_boundary(text, at + len(key)):
            yield True
        at = text.find(key, at + 1)


def _by_nesting(texts: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the texts with at most NESTING others as endings, and the rest, shortest first."""
    flat: list[str] = []
    nested: list[str] = []
    endings: list[str] = []
    for backwards in sorted(text[::-1] for text in texts):
        while endings and not backwards.startswith(endings[-1]):
            endings.pop()
        (flat if len(endings) < NESTING else nested).append(backwards[::-1])
        endings.append(backwards)
    return flat, sorted(nested, key=len)
