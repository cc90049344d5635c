"""The stop list: what is sent with the prompt so that the model ends where its turn ends."""

from __future__ import annotations

from collections.abc import Iterable


def merge_stops(*lists: Iterable[str]) -> list[str]:
    """Return all stops in the order of `lists`; the first occurrence wins and empty strings are dropped."""
    return list(dict.fromkeys(stop for stops in lists for stop in stops if stop))
