"""Text as keys see it: composed, without case where asked, and where words begin and end in any script."""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from unicodedata import category, normalize

WORD: Final = 1
UNSPACED: Final = 2
MARK: Final = 4

_UNSPACED_RANGES: Final = (
    (0x0E00, 0x0FFF),  # Thai, Lao, Tibetan
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul letters
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # Han radicals
    (0x3005, 0x3007),
    (0x3031, 0x3035),
    (0x3040, 0x31FF),  # kana, Bopomofo, Hangul letters
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),  # Han
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),  # Hangul syllables
    (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC),  # half-width kana and Hangul
    (0x1AFF0, 0x1B16F),
    (0x20000, 0x3FFFF),
)
"""Scripts that write words without spaces, or (Hangul) put particles right behind them."""

UNSPACED_CLASS: Final = "".join(f"{chr(low)}-{chr(high)}" for low, high in _UNSPACED_RANGES)
"""The same scripts as the inside of a character class of a regular expression."""

_DOTTED_I: Final = "i\u0307"


def composed(text: str) -> str:
    """Return `text` in NFC: é is one character, however it was typed."""
    return text if text.isascii() else normalize("NFC", text)


def fold(text: str) -> str:
    """Return `text` without case. Lengths may change (ß → ss), so places in it are not places in `text`.

    The Turkish İ folds to i like I does; casefold alone would leave its dot behind as a character.
    """
    if text.isascii():
        return text.lower()
    return normalize("NFC", normalize("NFC", text).casefold().replace(_DOTTED_I, "i"))


def encodable(text: str) -> str:
    """Return `text` with lone surrogates replaced: no search engine takes them."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def is_boundary(text: str, at: int) -> bool:
    """Return whether a word may begin or end before `text[at]`.

    It may where one side is no letter, digit or underscore, and inside scripts that write without spaces; never between
    a letter and the marks on it.
    """
    if at <= 0 or at >= len(text):
        return True
    left, right = _kind(text[at - 1]), _kind(text[at])
    if not left or not right:
        return True
    return not right & MARK and bool((left | right) & UNSPACED)


@lru_cache(maxsize=8_192)
def _kind(char: str) -> int:
    kind = 0
    if category(char)[0] == "M":
        kind = WORD | MARK
    elif char == "_" or char.isalnum():
        kind = WORD
    code = ord(char)
    return kind | UNSPACED if kind and any(low <= code <= high for low, high in _UNSPACED_RANGES) else kind


class ScanText:
    """One text to be searched; each of its forms is made once, and only when a book asks for it."""

    __slots__ = ("_encoded", "_exact", "_folded", "text")

    def __init__(self, text: str) -> None:
        self.text = text if text.isascii() else encodable(text)
        self._folded: str | None = None
        self._exact: str | None = None
        self._encoded: bytes | None = None

    # Not cached_property: its lock costs more than folding a message does

    @property
    def folded(self) -> str:
        """The text without case."""
        if self._folded is None:
            self._folded = fold(self.text)
        return self._folded

    @property
    def exact(self) -> str:
        """The text with case."""
        if self._exact is None:
            self._exact = composed(self.text)
        return self._exact

    @property
    def encoded(self) -> bytes:
        """The text with case, as UTF-8."""
        if self._encoded is None:
            self._encoded = self.exact.encode()
        return self._encoded
