"""What the pipeline needs of the world, handed in by its caller: it reads no clock and draws no number by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Return the time of this render, with its zone."""


class Rng(Protocol):
    """Draws numbers that follow from a seed."""

    @property
    def seed(self) -> int:
        """The seed: the same one gives the same numbers."""


class TokenCounter(Protocol):
    """Counts tokens of a text."""

    @property
    def profile(self) -> str:
        """Name of the tokenizer."""

    @property
    def is_approximate(self) -> bool:
        """Whether `count` is an estimate."""

    def count(self, text: str) -> int:
        """Return the number of tokens."""


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports of one render. `timer` returns milliseconds since any fixed moment."""

    clock: Clock
    rng: Rng
    counter: TokenCounter
    timer: Callable[[], float]
