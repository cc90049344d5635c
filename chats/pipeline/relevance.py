"""How much one text has to do with another, by words: what stands in until there are embeddings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

WORD: Final = re.compile(r"\w+")
SHORTEST: Final = 3
"""Shorter words of alphabets say little; a letter of scripts that write without spaces counts by itself."""

IDEOGRAPH: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text that say something, case folded."""
    folded = text.casefold()
    words = {word for word in WORD.findall(folded) if len(word) >= SHORTEST}
    return frozenset(words | set(IDEOGRAPH.findall(folded)))


def share_of_words(text: str, words: frozenset[str]) -> float:
    """Return the share of the words of `text` that are among `words`."""
    own = words_of(text)
    return len(own & words) / len(own) if own else 0.0


def share_of_keys(keys: Iterable[str], folded: str) -> float:
    """Return the share of `keys` that occur in a text whose case is folded already."""
    known = [key.strip().casefold() for key in keys if key.strip()]
    return sum(key in folded for key in known) / len(known) if known else 0.0
