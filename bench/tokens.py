"""Counting 100 messages against quicktok's own `count()`, first and repeated: `python -m bench.tokens [--quick]`."""

from __future__ import annotations

import sys
from collections.abc import Callable

import quicktok

from bench.common import race
from formats.tokens import Tokenizer, profile
from formats.tokens.exact import Exact

ENCODING = "o200k_base"
LINE = "{number}. The ferry is late; nobody on the quay would say why, so we waited (under the lamp) until it turned. "


def messages(count: int = 100, size: int = 300) -> list[str]:
    """Different texts of about `size` characters."""
    return [(LINE.format(number=number) * 3)[:size] for number in range(count)]


def counted(tokenizer: Tokenizer, texts: list[str]) -> Callable[[], list[int]]:
    """Count all of them."""
    return lambda: [tokenizer.count(text) for text in texts]


def first(texts: list[str]) -> Callable[[], list[int]]:
    """Count all of them with nothing stored: every call gets a tokenizer of its own, the engine is shared."""
    engine = quicktok.get_encoding(ENCODING)

    def count() -> list[int]:
        tokenizer = Exact(ENCODING, engine)
        return [tokenizer.count(text) for text in texts]

    return count


def main(arguments: list[str]) -> None:
    """Print the ratios; the last line is the figure of docs/performance.md."""
    rounds = 9 if "--quick" in arguments else 31
    texts = messages()
    engine = quicktok.get_encoding(ENCODING)
    tokenizer, estimate = profile(ENCODING), profile("estimate")
    results = race(
        "Token counts of 100 messages of 300 characters, o200k_base",
        {
            "quicktok count()": lambda: [engine.count(text) for text in texts],
            "first": first(texts),
            "repeated": counted(tokenizer, texts),
        },
        "quicktok count()",
        rounds=rounds,
    )
    race(
        "The estimate beside it (its counts differ)",
        {"quicktok count()": lambda: [engine.count(text) for text in texts], "estimate": counted(estimate, texts)},
        "quicktok count()",
        rounds=rounds,
        same=False,
    )
    for name in ("first", "repeated"):
        low, high = results[name].spread
        print(f"tokens {name} {results[name].ratio:.2f} ({low:.2f}-{high:.2f})")


if __name__ == "__main__":
    main(sys.argv[1:])
