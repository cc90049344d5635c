"""The world as the pipeline sees it: the time, a seed, a stopwatch, and a token count."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import Final

from chats.pipeline.ports import Ports
from formats.tokens import Tokenizer

SEED_BITS: Final = 32
"""Small enough to be exact in every JSON reader."""


@dataclass(frozen=True, slots=True)
class FixedClock:
    """A clock that stands: one render has one time."""

    time: datetime

    def now(self) -> datetime:
        """Return the time of the render; a time without a zone counts as UTC."""
        return self.time if self.time.tzinfo else self.time.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Seed:
    """The seed that random choices of one render follow from."""

    seed: int


def ports_for(now: datetime, seed: int | None, counter: Tokenizer) -> Ports:
    """Return the ports of one render; without a seed one is drawn."""
    drawn = secrets.randbits(SEED_BITS) if seed is None else seed
    return Ports(FixedClock(now), Seed(drawn), counter, _milliseconds)


def _milliseconds() -> float:
    return perf_counter() * 1000
