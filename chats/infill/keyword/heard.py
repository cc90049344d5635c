"""The messages as the signals see them: which words were said lately, how telling each is, which keys fell and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp, log
from typing import NamedTuple

from chats.infill.keyword.index import LoreIndex
from chats.infill.keyword.weights import FADING, LOOKBACK
from chats.infill.types import Said, Scene
from chats.infill.words import words_of
from chats.lore.patterns import Work


class Mentions(NamedTuple):
    """Keys and names: those that the newest messages and the settings hold, and for each that fell how long ago that
    was, 1 for just now and falling towards 0."""

    recent: frozenset[int]
    freshness: Mapping[int, float]


def telling(scene: Scene) -> dict[str, float]:
    """Return word → its weight: how often the newest messages have it, times how few of all messages do.

    A word of every message has none. Source: TF-IDF with idf = ln(N / (1 + df)), never below 0.
    """
    recent = scene.recent
    if not recent:
        return {}
    said = Counter(word for message in recent for word in words_of(message.text))
    spread: Counter[str] = Counter()
    for message in scene.messages:
        spread.update(said.keys() & set(words_of(message.text)))
    total = len(scene.messages)
    weights = {word: times / len(recent) * log(total / (1 + spread[word])) for word, times in said.items()}
    return {word: weight for word, weight in weights.items() if weight > 0}


def mentions(scene: Scene, index: LoreIndex, work: Work) -> Mentions:
    """Return which keys and names fell, newest messages first: a spent `work` leaves out patterns far back."""
    total, first = len(scene.messages), len(scene.older)
    freshness: dict[int, float] = {}
    recent: set[int] = set()
    for at in range(total - 1, max(-1, total - 1 - LOOKBACK), -1):
        found = index.scan(scene.messages[at].text, work)
        if at >= first:
            recent |= found
        for number in found - freshness.keys():
            freshness[number] = exp(-FADING * (total - at))
    for text in scene.settings:
        recent |= index.scan(text, work)
    return Mentions(frozenset(recent), freshness)


def speakers(messages: Sequence[Said]) -> frozenset[str]:
    """Return the ids of those who spoke."""
    return frozenset(message.speaker for message in messages if message.speaker)
