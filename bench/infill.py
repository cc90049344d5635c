"""Infill: 10,000 candidates by keyword beside the plain way of doing the same, and the search of 20,000 vectors."""

from __future__ import annotations

import math
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bench.common import race
from bench.lore import chat, names
from chats.infill.keyword.index import index_of
from chats.infill.registry import engine
from chats.infill.semantic.ports import Meaning
from chats.infill.semantic.search import Block, nearest
from chats.infill.types import Candidate, CandidateKind, Passage, Said, Scene, Selection

BUDGET = 8_000
MESSAGES = 200
DIM = 384
KINDS: tuple[CandidateKind, ...] = ("world", "character", "history")
WEIGHTS = {"keyword": 0.35, "name": 0.25, "company": 0.2, "tfidf": 0.1, "lastSaid": 0.1}
OTHERS = {
    "history": {"recency": 0.2, "keyword": 0.35, "tfidf": 0.1, "lastSaid": 0.1},
    "message": {"recency": 0.3, "tfidf": 0.1, "density": 0.1},
}
CAPS = {"world": 20, "character": 15, "history": 10, "message": 50}


def made_up(count: int) -> tuple[Scene, list[Candidate]]:
    """A chat of 200 messages and lore of all kinds, two keys an entry; a cost is a number of characters."""
    rng = random.Random(1)
    listed = names(rng, 2 * count)
    texts = [text for _ in range(MESSAGES // 10) for text in chat(rng, listed[:20:2])]
    scene = Scene(tuple(Said(text, f"c{at % 3}") for at, text in enumerate(texts)), (listed[5], listed[41]))
    lore = [_entry(at, listed) for at in range(count - MESSAGES)]
    messages = [Candidate(f"m{at}", "message", text, tokens=len(text), order=at) for at, text in enumerate(texts)]
    return scene, [*lore, *messages]


def _entry(at: int, listed: Sequence[str]) -> Candidate:
    first, second = listed[2 * at], listed[2 * at + 1]
    kind = ("world", "world", "world", "character", "history")[at % 5]
    text = f"{first} lies behind {listed[(2 * at + 9) % len(listed)]}, and its people keep goats."
    return Candidate(
        f"l{at}", kind, text, name="" if kind == "history" else first, keys=(first, second), tokens=len(text), order=at,
        date=(at % 900, 1 + at % 12, 1) if kind == "history" else None, subject=f"c{at % 50}", priority=at % 3 % 2,
    )  # fmt: skip


def plainly(scene: Scene, candidates: Sequence[Candidate], budget: int) -> list[str]:
    """The plain way: every signal for every candidate by itself, and the whole prompt put together for each try."""
    scored = _scores(scene, candidates)
    first = len(scene.older)
    kept = [one for one in candidates if one.kind == "message" and one.order >= first]
    rest = [at for at, one in enumerate(candidates) if one not in kept]
    rest.sort(key=lambda at: (-scored[at], 0 if candidates[at].kind == "message" else candidates[at].order, at))
    taken: Counter[str] = Counter()
    for at in rest:
        one = candidates[at]
        if taken[one.kind] < CAPS[one.kind] and len("".join(each.text for each in [*kept, one])) <= budget:
            kept.append(one)
            taken[one.kind] += 1
    return [one.id for one in kept]


def _scores(scene: Scene, candidates: Sequence[Candidate]) -> list[float]:
    words = lambda text: [word for word in re.findall(r"\w+", text.lower()) if len(word) > 1]  # noqa: E731
    recent, total = [message.text for message in scene.recent], len(scene.messages)
    said, lowered = Counter(words(" ".join(recent))), [message.text.lower() for message in scene.messages]
    sets = [set(words(message.text)) for message in scene.messages]
    idf = {word: max(0.0, math.log(total / (1 + sum(word in one for one in sets)))) for word in said}
    near = "\n".join(lowered[-10:])
    spoke = {message.speaker for message in scene.recent}
    dates = sorted((one.date, one.order) for one in candidates if one.date)
    mean = sum(map(len, lowered)) / total
    parts: list[dict[str, float]] = []
    for one in candidates:
        text = (
            one.text
            if one.kind == "message"
            else " ".join((*one.keys, one.text if one.kind == "history" else one.name))
        )
        own = {"tfidf": sum(said[word] / len(recent) * idf[word] for word in words(text) if word in idf)}
        if one.kind == "message":
            own |= {"recency": min(1.0, one.order / (len(scene.older) - 1)), "density": min(1.0, len(one.text) / mean)}
        else:
            keys = [key.lower() for key in one.keys]
            last = next((at for at in range(total - 1, -1, -1) if any(key in lowered[at] for key in keys)), None)
            own["keyword"] = sum(key in near for key in keys) / len(keys)
            own["lastSaid"] = math.exp(-0.01 * (total - last)) if last is not None else 0.0
            own["name"] = float(bool(one.name) and re.search(rf"\b{one.name.lower()}\b", near) is not None)
        if one.kind == "world":
            own["company"] = float(any(re.search(rf"\b{name}\b", text, re.I) for name in scene.names))
        if one.kind == "character":
            own["company"] = float(one.subject in spoke)
        if one.date:
            own["recency"] = dates.index((one.date, one.order)) / (len(dates) - 1)
        parts.append(own)
    best = max(own["tfidf"] for own in parts)
    return [
        sum(
            weight * (own.get(name, 0.0) / (best if name == "tfidf" else 1))
            for name, weight in OTHERS.get(one.kind, WEIGHTS).items()
        )
        + (0.15 * one.priority if one.kind in ("world", "character") else 0.0)
        for one, own in zip(candidates, parts, strict=True)
    ]


class RandomVectors:
    """Vectors without a model: one that is there already for each passage, and one for each query."""

    model, floor = "random", 0.1

    def __init__(self, count: int) -> None:
        rng = np.random.default_rng(1)
        rows = rng.standard_normal((count + 64, DIM), dtype=np.float32)
        self.rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def matrix(self, passages: tuple[Passage, ...], *, lasting: bool) -> Any:
        return self.rows[: len(passages)]

    def queries(self, texts: Sequence[str]) -> Any:
        return self.rows[-len(texts) :]

    passages = queries


def by_vector(count: int) -> tuple[Callable[[], Any], Callable[[], Selection]]:
    """The search alone, and the whole choice with its reasons, over `count` entries."""
    vectors = RandomVectors(count)
    lore = [
        Candidate(f"l{at}", KINDS[at % 3], text := f"entry {at}", tokens=30, order=at, stored=Passage("", text))
        for at in range(count)
    ]
    block = Block(vectors.rows[:count], [at % 3 for at in range(count)])
    passes = (vectors.rows[-2:], vectors.rows[-5:-2])
    scene = Scene(tuple(Said(f"message {at}") for at in range(10)))
    meaning = Meaning(vectors, vectors)  # type: ignore[arg-type]  # one object is both
    chooser = engine("vector", meaning=meaning)
    return lambda: nearest([block], passes, vectors.floor), lambda: chooser.select(scene, lore, BUDGET)


def main(arguments: list[str]) -> int:
    quick = "--quick" in arguments
    count = 2_000 if quick else 10_000
    scene, candidates = made_up(count)
    chooser = engine("keyword")
    start = time.perf_counter()
    index_of(one for one in candidates if one.kind != "message")
    print(
        f"{count:,} candidates: made ready in {(time.perf_counter() - start) * 1e3:.0f} ms, once a revision of the book"
    )
    ours = lambda: list(chooser.select(scene, candidates, BUDGET).chosen)  # noqa: E731
    if sorted(ours()) != sorted(plainly(scene, candidates, BUDGET)):
        raise SystemExit("the engine and the plain way do not choose the same")
    contenders = {"keyword engine": ours, "plainly": lambda: plainly(scene, candidates, BUDGET)}
    race(f"{count:,} candidates, {MESSAGES} messages, by keyword", contenders, "keyword engine", rounds=5, same=False)
    entries = 4_000 if quick else 20_000
    search, select = by_vector(entries)
    race(
        f"{entries:,} vectors of {DIM}, five queries",
        {"search": search, "whole choice": select}, "search", rounds=7 if quick else 21, same=False,
    )  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
