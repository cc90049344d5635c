"""A count without a vocabulary: so many characters a token, by script. The rates are those NeoTavern uses."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Literal

Script = Literal["emoji", "ideograph", "cyrillic", "digit", "letter", "mark", "other"]

RATES: dict[Script, float] = {
    "emoji": 1.1,
    "ideograph": 1.7,
    "cyrillic": 4.0,
    "digit": 2.0,
    "letter": 4.6,
    "mark": 3.0,
    "other": 4.0,
}
"""Characters a token. `mark` is punctuation, symbols and white space; combining marks are letters."""

EMOJI = ((0x1F000, 0x1FAFF), (0x2600, 0x27BF), (0x2B05, 0x2B07), (0x2B1B, 0x2B1C), (0x2B50, 0x2B55))
IDEOGRAPHS = (
    (0x1100, 0x11FF),  # Hangul letters
    (0x2E80, 0x2FDF),  # radicals
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3038, 0x303B),
    (0x3041, 0x30FF),  # Hiragana, Katakana
    (0x3130, 0x318F),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC),
    (0x1AFF0, 0x1B16F),
    (0x20000, 0x323AF),
)
CYRILLIC = ((0x0400, 0x052F), (0x1C80, 0x1C8F), (0x2DE0, 0x2DFF), (0xA640, 0xA69F))

ASCII = re.compile(r"[\x00-\x7f]+")


class Estimate:
    """Counts by script. Always marked approximate; it has no ids, and its pieces only show its size."""

    name = "estimate"
    approximate = True

    def count(self, text: str) -> int:
        """Return the estimate: rounded, at least 1 for a text with a character."""
        if not text:
            return 0
        digits, letters, marks, others = _ascii_sizes(text.encode("ascii", "ignore"))
        if text.isascii():
            return max(1, int(digits / DIGIT + letters / LETTER + marks / MARK + others / OTHER + 0.5))
        sizes = dict.fromkeys(RATES, 0) | {"digit": digits, "letter": letters, "mark": marks, "other": others}
        for character, times in Counter(ASCII.sub("", text)).items():
            sizes[script(character)] += times
        return max(1, int(sum(sizes[kind] / rate for kind, rate in RATES.items()) + 0.5))

    def count_once(self, text: str) -> int:
        """Return the estimate; none is ever kept."""
        return self.count(text)

    def encode(self, text: str) -> list[int]:
        """Return nothing: an estimate has no vocabulary."""
        return []

    def pieces(self, text: str) -> list[str]:
        """Return the text cut into as many pieces as were counted, each about a token long."""
        count = self.count(text)
        if count <= 1:
            return [text] if text else []
        ends = list(accumulate(1 / RATES[script(character)] for character in text))
        step = ends[-1] / count
        cuts = [0, *_cuts(ends, step, count), len(text)]
        return [text[start:end] for start, end in pairwise(cuts)]


def _ascii_sizes(text: bytes) -> tuple[int, int, int, int]:
    """Count digits, letters, marks and others of what is ASCII: the many are taken out first, so few are looked at."""
    rest = text.translate(None, ASCII_LETTERS)
    few = rest.translate(None, ASCII_MARKS)
    others = few.translate(None, ASCII_DIGITS)
    return len(few) - len(others), len(text) - len(rest), len(rest) - len(few), len(others)


def _cuts(ends: list[float], step: float, count: int) -> list[int]:
    """Return the `count - 1` places between the pieces; every piece gets a character at least."""
    cuts: list[int] = []
    place = 0
    for number in range(1, count):
        place += 1
        last = len(ends) - (count - number)
        while place < last and ends[place] <= number * step:
            place += 1
        cuts.append(place)
    return cuts


@lru_cache(maxsize=65_536)
def script(character: str) -> Script:
    """Return which rate holds for a character."""
    point = ord(character)
    category = unicodedata.category(character)
    if _within(point, EMOJI):
        return "emoji"
    if _within(point, IDEOGRAPHS) and category[0] in "LMN":
        return "ideograph"
    if _within(point, CYRILLIC) and category[0] in "LM":
        return "cyrillic"
    if category[0] in "LM":
        return "letter"
    if category[0] == "N":
        return "digit"
    return "mark" if category[0] in "PSZ" or character.isspace() else "other"


def _within(point: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= point <= last for first, last in ranges)


def _ascii_of(kind: Script) -> bytes:
    return bytes(point for point in range(128) if script(chr(point)) == kind)


ASCII_LETTERS, ASCII_MARKS, ASCII_DIGITS = _ascii_of("letter"), _ascii_of("mark"), _ascii_of("digit")
DIGIT, LETTER, MARK, OTHER = (RATES[kind] for kind in ("digit", "letter", "mark", "other"))
