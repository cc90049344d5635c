"""Lorebook activation: what 10,000 entries cost beside 10, and what each way of searching costs."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

from bench.common import race
from chats.documents import InlineLorebook, validate
from chats.lore import CompiledBook, LoreSettings, SeededRolls, activate, compile_book

SYLLABLES = [consonant + vowel for consonant in "bdklmnrst" for vowel in "aeiou"]
MESSAGES = 10
MESSAGE_CHARACTERS = 300
ALWAYS = 10
"""Entries whose keys the chat holds: the same ones in a book of every size."""


def made_up(rng: random.Random, syllables: int) -> str:
    return "".join(rng.choice(SYLLABLES) for _ in range(syllables)).capitalize()


def names(rng: random.Random, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found[made_up(rng, 4)] = None
    return list(found)


def chat(rng: random.Random, called: list[str]) -> list[str]:
    """Messages of everyday words, with one called name here and there."""
    texts: list[str] = []
    for at in range(MESSAGES):
        words = [called[at % len(called)]]
        while sum(map(len, words)) + len(words) < MESSAGE_CHARACTERS:
            words.append(made_up(rng, rng.choice((1, 2, 2, 3))).lower())
        rng.shuffle(words)
        texts.append(" ".join(words))
    return texts


def documents(listed: list[str], **switches: bool) -> InlineLorebook:
    """A book with two keys an entry."""
    pairs = zip(listed[::2], listed[1::2], strict=True)
    entries = [{"keys": list(pair), "content": f"{pair[0]} is a town.", **switches} for pair in pairs]
    return validate(InlineLorebook, {"name": "bench", "entries": entries})


def searching(book: CompiledBook, texts: list[str]) -> Callable[[], list[str]]:
    settings, rolls = LoreSettings(scan_depth=MESSAGES), SeededRolls(1)
    return lambda: [hit.text for hit in activate([book], texts, settings, rolls).activated]


def looping(book: InlineLorebook, texts: list[str]) -> Callable[[], list[str]]:
    """What most front ends do: ask for every key whether the text has it."""
    lowered = [([key.lower() for key in entry.keys], entry.content) for entry in book.entries]

    def search() -> list[str]:
        text = "\n".join(texts).lower()
        return [content for keys, content in lowered if any(key in text for key in keys)]

    return search


def sizes(quick: bool) -> tuple[int, ...]:
    return (10, 1_000) if quick else (10, 1_000, 10_000)


def main(arguments: list[str]) -> int:
    quick = "--quick" in arguments
    rng = random.Random(1)
    listed = names(rng, 2 * max(sizes(quick)))
    texts = chat(rng, listed[: 2 * ALWAYS : 2])
    for title, switches in (("plain keys", {}), ("whole words", {"wholeWords": True})):
        contenders = {}
        for size in sizes(quick):
            start = time.perf_counter()
            book = compile_book(documents(listed[: 2 * size], **switches), book_id="bench")
            print(
                f"{title}, {size:,} entries: compiled in {(time.perf_counter() - start) * 1e3:.0f} ms, once a revision"
            )
            contenders[f"{size:,} entries"] = searching(book, texts)
        race(f"activate, {title}, 2 keys an entry, {MESSAGES} messages of {MESSAGE_CHARACTERS} characters",
             contenders, "10 entries", rounds=7 if quick else 21)  # fmt: skip
    size = sizes(quick)[-1]
    book = documents(listed[: 2 * size])
    contenders = {"ours": searching(compile_book(book, book_id="bench"), texts), "key by key": looping(book, texts)}
    race(f"{size:,} entries, key by key", contenders, "ours", rounds=5)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
