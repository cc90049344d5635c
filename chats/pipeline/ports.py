"""What the pipeline needs of the world, handed in by its caller: it reads no clock and draws no number by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from formats.tokens import Tokenizer


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Return the time of this render, with its zone."""


class Rng(Protocol):
    """Draws numbers that follow from a seed."""

    @property
    def seed(self) -> int:
        """The seed: the same one gives the same numbers."""


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports of one render. `timer` returns milliseconds since any fixed moment."""

    clock: Clock
    rng: Rng
    counter: Tokenizer
    timer: Callable[[], float]
