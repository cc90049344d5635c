"""Token ids of a rendered prompt with their offsets: special tokens count as such in the markup, never in content.

A look-alike that somebody typed into a message is read as the plain characters that it is, so a data set can not be
made to hold a turn that nobody wrote. Between two special tokens the text is encoded in one go, as the model's own
tokenizer does.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import Final, NamedTuple, Protocol
from unicodedata import is_normalized, normalize

from formats.tokens.exact import Exact

_MARKUP: Final = "markup"


class Piece(Protocol):
    """The part of `formats.prompt.Segment` that is needed here."""

    @property
    def text(self) -> str:
        """A stretch of the prompt."""

    @property
    def kind(self) -> str:
        """`markup` for the format's own text."""


class PromptIds(NamedTuple):
    """Ids and, for each, the code points (start, end) of the prompt that it stands for.

    A character that is cut into several tokens is the offset of each of them, as with Hugging Face's fast tokenizers.
    """

    ids: list[int]
    offsets: list[tuple[int, int]]


def prompt_ids(tokenizer: Exact, pieces: Sequence[Piece]) -> PromptIds:
    """Return the ids of the pieces' joined text."""
    text = "".join(piece.text for piece in pieces)
    found = PromptIds([], [])
    position = 0
    for start, end in _special_places(tokenizer, text, pieces):
        _add_plain(tokenizer, text, position, start, found)
        found.ids.append(tokenizer.special_ids[text[start:end]])
        found.offsets.append((start, end))
        position = end
    _add_plain(tokenizer, text, position, len(text), found)
    return found


def _special_places(tokenizer: Exact, text: str, pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    pattern = _pattern(tokenizer)
    if pattern is None:
        return
    ends = list(accumulate(len(piece.text) for piece in pieces))
    for match in pattern.finditer(text):
        first, last = bisect_right(ends, match.start()), bisect_right(ends, match.end() - 1)
        if all(piece.kind == _MARKUP for piece in pieces[first : last + 1]):
            yield match.span()


@cache
def _pattern(tokenizer: Exact) -> re.Pattern[str] | None:
    # one for each of the few profiles that a process loads, of the vocabulary's own tokens: no text of a user is in it
    names = sorted(tokenizer.special_ids, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, names))) if names else None


def _add_plain(tokenizer: Exact, text: str, start: int, end: int, found: PromptIds) -> None:
    if start == end:
        return
    plain = text[start:end]
    ids = tokenizer.encode(plain)
    found.ids.extend(ids)
    sizes = list(accumulate((tokenizer.size(token) for token in ids), initial=0))
    if plain.isascii():
        found.offsets.extend((start + a, start + b) for a, b in pairwise(sizes))
        return
    letters, places = _letters(tokenizer, plain)
    starts = list(accumulate((len(letter.encode("utf-8", "replace")) for letter in letters), initial=0))
    for a, b in pairwise(sizes):
        first, last = bisect_right(starts, a) - 1, bisect_right(starts, b - 1) - 1
        found.offsets.append((start + places[first], start + places[last + 1]))


def _letters(tokenizer: Exact, text: str) -> tuple[list[str], list[int]]:
    """Return the characters as the tokenizer sees them, and where each begins in `text`; the end last.

    A vocabulary that composes accents first sees `e` and a combining accent as one character.
    """
    if not tokenizer.composes or is_normalized("NFC", text):
        return list(text), list(range(len(text) + 1))
    letters: list[str] = []
    places: list[int] = []
    cluster, begun = "", 0
    for index, letter in enumerate(text):
        if cluster and normalize("NFC", cluster + letter) == normalize("NFC", cluster) + letter:
            _close(cluster, begun, letters, places)
            cluster, begun = "", index
        cluster += letter
    _close(cluster, begun, letters, places)
    return letters, [*places, len(text)]


def _close(cluster: str, begun: int, letters: list[str], places: list[int]) -> None:
    letters.append(normalize("NFC", cluster))
    places.append(begun)
