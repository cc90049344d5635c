"""Words of a text in any script: what TF-IDF counts."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from chats.lore.folding import UNSPACED_CLASS, fold

SHORTEST: Final = 2
"""Letters of an alphabet that stand alone say nothing."""

KEPT: Final = 8_192
"""Texts whose words are remembered: a chat grows by one message, and the others are asked for again."""

_RUN: Final = re.compile(f"([{UNSPACED_CLASS}]+)|[^\\W{UNSPACED_CLASS}]+")


@lru_cache(maxsize=KEPT)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of `text` in order, repeated ones too, without case.

    Scripts that write without spaces give pairs of neighbouring characters, and single ones that stand alone.
    """
    found: list[str] = []
    for run in _RUN.finditer(fold(text)):
        word = run.group()
        if run.group(1) is None:
            if len(word) >= SHORTEST:
                found.append(word)
        elif len(word) == 1:
            found.append(word)
        else:
            found.extend(word[at : at + 2] for at in range(len(word) - 1))
    return tuple(found)
