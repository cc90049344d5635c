"""Sums of texts that are numbers, written as JavaScript writes them."""

from __future__ import annotations

import re

NUMBER = re.compile(r"\s*[+-]?\d{1,15}(?:\.\d{1,15})?\s*", re.ASCII)


def number(text: str) -> float | None:
    """Return the number that a text is, None when it is none. Blank is none, more than 15 digits neither."""
    return float(text) if NUMBER.fullmatch(text) else None


def added(first: str, second: str) -> str:
    """Return the sum of two numbers, else the second text after the first. Nothing counts as 0 beside a number."""
    left, right = number(first or "0"), number(second)
    if left is None or right is None:
        return first + second
    return written(left + right)


def written(value: float) -> str:
    """Return a number as text, without `.0`."""
    return str(int(value)) if value == int(value) else repr(value)
