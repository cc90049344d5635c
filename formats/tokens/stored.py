"""Counts that were made before, by text: a chat is counted again and again, and only its last message is new."""

from __future__ import annotations

MAX_CHARACTERS = 8_000_000
"""Of all texts together. Then everything is forgotten, which costs one count of what is still in use."""

MAX_TEXT = 200_000
"""A longer text would push out many that come back more often."""

COST_OF_AN_ENTRY = 100
"""What a short text costs beside its characters, so that many tiny ones are bounded too."""


class StoredCounts:
    """A dictionary with a bound. `get` is the dictionary's own, so that a hit costs a look-up and no more.

    No lock: the dictionary's own steps are safe among threads, and a sum that two of them wrote at once only moves
    the bound a little.
    """

    def __init__(self, max_characters: int = MAX_CHARACTERS) -> None:
        self._counts: dict[str, int] = {}
        self._max = max_characters
        self._held = 0
        self.get = self._counts.get

    def put(self, text: str, count: int) -> None:
        """Keep the count of a text."""
        size = len(text)
        if size > MAX_TEXT:
            return
        self._held += size + COST_OF_AN_ENTRY
        if self._held > self._max:
            self._counts.clear()
            self._held = size + COST_OF_AN_ENTRY
        self._counts[text] = count

    def __len__(self) -> int:
        return len(self._counts)
