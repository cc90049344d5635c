"""Scores of all candidates of one scene. Work is done for what was mentioned, not for every candidate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from chats.infill.keyword.heard import mentions, speakers, telling
from chats.infill.keyword.index import LoreIndex, index_of
from chats.infill.keyword.weights import WEIGHTS, bonus
from chats.infill.types import NOTHING, Candidate, Scene
from chats.infill.words import words_of
from chats.lore.folding import fold, is_boundary
from chats.lore.patterns import MAX_WORK, Work
from formats.prompt.findings import Finding

PATTERN_WORK: Final = "LORE_PATTERN_WORK"
Parts = dict[str, float]


class Scores(NamedTuple):
    """For each candidate its score, and the signals that it comes from; parallel to the candidates."""

    totals: list[float]
    parts: list[Mapping[str, float]]
    findings: tuple[Finding, ...]


def score(scene: Scene, candidates: Sequence[Candidate]) -> Scores:
    """Return the scores of `candidates`: 0 to about 1.3 for lore, 0 to 0.65 for messages."""
    lore = [at for at, one in enumerate(candidates) if one.kind != "message"]
    index = index_of(candidates[at] for at in lore)
    work = Work()
    parts: defaultdict[int, Parts] = defaultdict(dict)
    _mentioned(parts, scene, index, lore, work)
    _company(parts, scene, index, candidates, lore)
    _dates(parts, candidates, lore)
    _age_and_length(parts, scene, candidates)
    _words(parts, telling(scene), index, candidates, lore)
    for at, one in enumerate(candidates):
        if one.in_scene:
            parts[at]["scene"] = 1.0
    return Scores(
        [_total(one, parts[at]) if at in parts else bonus(one.kind, one.priority) for at, one in enumerate(candidates)],
        [parts.get(at, NOTHING) for at in range(len(candidates))],
        (*index.findings, *_spent(work)),
    )


def _total(one: Candidate, parts: Parts) -> float:
    weights = WEIGHTS[one.kind]
    return sum(weights.get(name, 0.0) * value for name, value in parts.items()) + bonus(one.kind, one.priority)


def _mentioned(parts: defaultdict[int, Parts], scene: Scene, index: LoreIndex, lore: Sequence[int], work: Work) -> None:
    """Note the share of its keys that fell, whether its name did, and how lately one of its keys did."""
    heard = mentions(scene, index, work)
    for n in {n for number in heard.recent | heard.freshness.keys() for n in index.by_key[number]}:
        keys, own = index.keys_of[n], parts[lore[n]]
        if keys:
            own["keyword"] = sum(key in heard.recent for key in keys) / len(keys)
            own["lastSaid"] = max((heard.freshness.get(key, 0.0) for key in keys), default=0.0)
        if index.name_of[n] in heard.recent:
            own["name"] = 1.0


def _company(
    parts: defaultdict[int, Parts], scene: Scene, index: LoreIndex, candidates: Sequence[Candidate], lore: Sequence[int]
) -> None:
    """Note lore that names someone of the scene, and lore of a character who spoke lately."""
    spoke = speakers(scene.recent)
    for at in lore:
        if candidates[at].kind == "character" and candidates[at].subject in spoke:
            parts[at]["company"] = 1.0
    for name in dict.fromkeys(fold(name.strip()) for name in scene.names):
        words = words_of(name)
        some = (n for n, _ in index.postings.get(words[0], ())) if words else range(len(lore) if name else 0)
        for n in some:
            if candidates[lore[n]].kind == "world" and _names(index.texts[n], name):
                parts[lore[n]]["company"] = 1.0


def _names(text: str, name: str) -> bool:
    """Return whether `name` stands in `text` as a word of its own; both are without case."""
    at = text.find(name)
    while at >= 0:
        if is_boundary(text, at) and is_boundary(text, at + len(name)):
            return True
        at = text.find(name, at + 1)
    return False


def _dates(parts: defaultdict[int, Parts], candidates: Sequence[Candidate], lore: Sequence[int]) -> None:
    """Note how late a history entry is among those that have a date: 0 for the first, 1 for the last."""
    dated = [
        at for at in lore if (one := candidates[at]).kind == "history" and one.date and one.enabled and not one.pinned
    ]
    dated.sort(key=lambda at: (candidates[at].date or (), candidates[at].order))
    for rank, at in enumerate(dated):
        parts[at]["recency"] = rank / (len(dated) - 1) if len(dated) > 1 else 1.0


def _age_and_length(parts: defaultdict[int, Parts], scene: Scene, candidates: Sequence[Candidate]) -> None:
    """Note how late an older message is, and how long compared with the mean of all."""
    older = len(scene.older)
    mean = sum(len(message.text) for message in scene.messages) / max(1, len(scene.messages))
    for at, one in enumerate(candidates):
        if one.kind == "message":
            parts[at]["recency"] = min(1.0, one.order / (older - 1)) if older > 1 else 0.0
            parts[at]["density"] = min(1.0, len(one.text) / mean) if mean else 0.0


def _words(
    parts: defaultdict[int, Parts],
    weights: Mapping[str, float],
    index: LoreIndex,
    candidates: Sequence[Candidate],
    lore: Sequence[int],
) -> None:
    """Note TF-IDF, as a share of the best one's."""
    sums: defaultdict[int, float] = defaultdict(float)
    for word, weight in weights.items():
        for n, times in index.postings.get(word, ()):
            sums[lore[n]] += weight * times
    for at, one in enumerate(candidates):
        if one.kind == "message":
            sums[at] = sum(weights.get(word, 0.0) for word in words_of(one.text))
    best = max(sums.values(), default=0.0)
    for at, value in sums.items():
        if value > 0:
            parts[at]["tfidf"] = value / best


def _spent(work: Work) -> tuple[Finding, ...]:
    if not work.is_spent:
        return ()
    text = f"Patterns were searched for only so long: {MAX_WORK} steps are allowed. Some keys were not tried."
    return (Finding("warning", PATTERN_WORK, text),)
