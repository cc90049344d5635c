"""Conversations to compare prompts on, registered by the floor above that has some."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from neotavern.library.rendering import Conversation


@dataclass(frozen=True, slots=True)
class Samples:
    """What there is to choose from; `titles` are (name, words) pairs in the language of the page."""

    titles: Callable[[], Sequence[tuple[str, str]]]
    load: Callable[[str], Conversation]


_SAMPLES: list[Samples] = []


def register(samples: Samples) -> None:
    """Offer these conversations instead of those offered so far."""
    _SAMPLES[:] = [samples]


def samples() -> Samples | None:
    """Return what is registered."""
    return _SAMPLES[0] if _SAMPLES else None
