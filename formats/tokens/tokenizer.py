"""What every tokenizer can do, whatever counts behind it."""

from __future__ import annotations

from typing import Protocol


class Tokenizer(Protocol):
    """Counts and cuts texts. Never raises for a string, and may be used by many threads at once."""

    @property
    def name(self) -> str:
        """Name of the profile, never an alias."""

    @property
    def approximate(self) -> bool:
        """Whether the counts are an estimate."""

    def count(self, text: str) -> int:
        """Return the number of tokens."""

    def count_once(self, text: str) -> int:
        """Return the number of tokens of a text that will not come back, as a whole prompt: nothing is kept."""

    def encode(self, text: str) -> list[int]:
        """Return the tokens' ids, as many as `count`; an estimate has none and returns an empty list."""

    def pieces(self, text: str) -> list[str]:
        """Return a string for every token counted; joined they give the text."""
