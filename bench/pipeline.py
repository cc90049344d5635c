"""The whole pipeline: how its time grows with the chat, and what it costs beside a bare sketch of the same work."""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count

from ahocorasick_rs import AhoCorasick

from bench.common import QUICK, race
from bench.lore import made_up, names
from chats.documents import Character, InlineLorebook, Persona, validate
from chats.lore import compile_book
from chats.pipeline.budget import Budget
from chats.pipeline.cast import Cast
from chats.pipeline.ports import Ports
from chats.pipeline.run import run
from chats.pipeline.sources import Rendered, Sources
from chats.services.ports import FixedClock, Seed
from formats.builtin import builtin
from formats.prompt.message import Message
from formats.tokens import profile

ENTRIES = 1_000
CHARACTERS = 300
LIMIT_OF_GROWTH = 4.6
TURN = 5
PORTS = Ports(FixedClock(datetime(2026, 11, 30, 12, tzinfo=UTC)), Seed(1), profile("o200k_base"), lambda: 0.0)
MARKS = ("<|im_start|>", "<|im_end|>\n")


def chat(rng: random.Random, size: int, called: list[str]) -> list[Message]:
    """Turns of everyday words; every tenth has a macro or calls an entry."""
    made = []
    for at in range(size):
        words = [called[at % len(called)]] if at % 10 == 0 else ["{{char}}"] if at % 10 == 5 else []
        while sum(map(len, words)) + len(words) < CHARACTERS:
            words.append(made_up(rng, rng.choice((1, 2, 2, 3))).lower())
        made.append(Message(("user", "assistant")[at % 2], " ".join(words)))
    return made


def size_of(sources: Sources) -> int:
    return run(Sources(sources.history), builtin("chatml").compiled, PORTS).tokens


def sources_of(history: list[Message], listed: list[str], share: float | None) -> Sources:
    """A chat with a card, a persona and a book, in a window of `share` of what the chat alone takes."""
    entries = [{"keys": [name], "content": f"{name} is a town of {{{{char}}}}."} for name in listed]
    book = compile_book(validate(InlineLorebook, {"name": "bench", "entries": entries}), book_id="bench")
    cast = Cast(
        validate(Character, {"name": "Mira", "description": "{{char}} keeps a lighthouse.", "personality": "Calm."}),
        persona=validate(Persona, {"name": "Tom", "description": "A sailor."}),
    )
    plain = Sources(tuple(history), cast=cast, books=(book,))
    if share is None:
        return plain
    budget = Budget(int(size_of(plain) * share))
    return Sources(tuple(history), cast=cast, books=(book,), budget=budget)


def rendering(sources: Sources) -> Callable[[], Rendered]:
    """The pipeline on that chat with another newest message each time, as a chat goes on."""
    form = builtin("chatml").compiled
    numbers = count()
    *old, newest = sources.history

    def render() -> Rendered:
        history = (*old, Message(newest.role, f"{newest.text} {next(numbers)}"))
        return run(replace(sources, history=history), form, PORTS, trace=False)

    return render


def sketch(sources: Sources, listed: list[str]) -> Callable[[], str]:
    """The least that gives such a prompt: no reasons, no trace, no protection, counts from a dictionary."""
    automaton = AhoCorasick([name.casefold() for name in listed])
    counts: dict[str, int] = {}
    tokens_of = PORTS.counter.count
    budget = sources.budget.available if sources.budget is not None else 1 << 60
    head = ["Write Mira's next reply in a fictional chat between Mira and Tom.", "The user is Tom: A sailor."]
    head += ["Mira keeps a lighthouse.", "Calm."]

    def tokens(text: str) -> int:
        known = counts.get(text)
        if known is None:
            known = counts[text] = tokens_of(text)
        return known

    def make() -> str:
        texts = [
            (one.role, one.text.replace("{{char}}", "Mira") if "{{" in (one.text or "") else one.text or "")
            for one in sources.history
        ]
        found = {index for _, text in texts[-11:] for index, *_ in automaton.find_matches_as_indexes(text.casefold())}
        system = [*head, *(f"{listed[index]} is a town of Mira." for index in sorted(found))]
        total = sum(tokens(text) + TURN for text in system) + sum(tokens(text) + TURN for _, text in texts)
        first = 0
        while total > budget:
            total -= tokens(texts[first][1]) + TURN
            first += 1
        turns = [("system", text) for text in system] + texts[first:]
        prompt = "".join(f"{MARKS[0]}{role}\n{text}{MARKS[1]}" for role, text in turns) + f"{MARKS[0]}assistant\n"
        PORTS.counter.count_once(prompt)
        return prompt

    return make


def seconds(render: Callable[[], object], rounds: int) -> float:
    """The median of some calls, the first ones left out: what was counted once is known then."""
    render()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        render()
        times.append(time.process_time() - start)
    return statistics.median(times)


def growth(rng: random.Random, listed: list[str]) -> float:
    """Return time(4,000 messages) / time(1,000), a half dropped, in one run."""
    rounds = 7 if QUICK else 21
    renders = {size: rendering(sources_of(chat(rng, size, listed[:20]), listed, 0.5)) for size in (1_000, 4_000)}
    ratios = []
    for _ in range(3):
        times = {size: seconds(render, rounds) for size, render in renders.items()}
        ratios.append(times[4_000] / times[1_000])
        print(", ".join(f"{size} messages {taken * 1e3:.2f} ms" for size, taken in times.items()))
    ratio = statistics.median(ratios)
    print(f"time(4,000) / time(1,000): {ratio:.2f} (at most {LIMIT_OF_GROWTH})")
    return ratio


def main(arguments: list[str]) -> int:
    rng = random.Random(1)
    listed = names(rng, ENTRIES)
    for title, share in (("fits", None), ("a quarter dropped", 0.75)):
        sources = sources_of(chat(rng, 100, listed[:20]), listed, share)
        contenders = {"pipeline": rendering(sources), "sketch": sketch(sources, listed)}
        race(f"100 messages, {ENTRIES} entries, {title}", contenders, "sketch", same=False)
    return 0 if growth(rng, listed) <= LIMIT_OF_GROWTH else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
