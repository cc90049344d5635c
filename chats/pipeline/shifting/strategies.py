"""In which order things leave. Every strategy gives an order over what may leave; how much leaves is not its affair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from chats.pipeline.relevance import share_of_words, words_of
from chats.pipeline.shifting.units import Unit
from formats.prompt.message import Message

RECENT: Final = 4
"""Turns before the newest input that `vector-recall` gives up last, whatever they are about."""


def oldest_first(units: Sequence[Unit], messages: Sequence[Message]) -> list[Unit]:
    """Turns of the chat, the oldest first; then memories, the least relevant first; then lore.

    Lore and memories were chosen for what is said now, so a turn that has scrolled away goes before them.
    """
    history = [unit for unit in units if unit.sort == "history"]
    return [*history, *_by_relevance(units, "memory"), *_by_relevance(units, "lore")]


def least_relevant_first(units: Sequence[Unit], messages: Sequence[Message]) -> list[Unit]:
    """Memories and lore by relevance, then turns by the words that they share with the newest input.

    Until there are embeddings, shared words stand in for nearness. The newest turns go last, as they are.
    """
    words = words_of(_newest_input(messages))
    history = [unit for unit in units if unit.sort == "history"]
    old, recent = history[:-RECENT], history[-RECENT:]
    score = {unit.first: share_of_words(_text(unit, messages), words) for unit in old}
    old.sort(key=lambda unit: score[unit.first])
    added = sorted((unit for unit in units if unit.sort != "history"), key=lambda unit: (unit.relevance, unit.priority))
    return [*added, *old, *recent]


def _by_relevance(units: Sequence[Unit], sort: str) -> list[Unit]:
    chosen = [unit for unit in units if unit.sort == sort]
    return sorted(chosen, key=lambda unit: (unit.priority, unit.relevance, -unit.first))


def _text(unit: Unit, messages: Sequence[Message]) -> str:
    return " ".join(messages[place].plain for place in unit.places)


def _newest_input(messages: Sequence[Message]) -> str:
    return next((message.plain for message in reversed(messages) if message.role == "user"), "")
