"""Stored objects as rows of a page: the wire form with real times and a link."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any


def rows(items: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the items of a list with `updated` as a time."""
    return [item | {"updated": moment(item["updatedAt"])} for item in items]


def moment(text: str) -> datetime:
    """Return the time that the wire form writes."""
    return datetime.fromisoformat(text)
