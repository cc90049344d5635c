"""Stored objects as rows of a page: the wire form with real times."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

FRESH = timedelta(minutes=1)


def rows(items: Iterable[dict[str, Any]], now: datetime) -> list[dict[str, Any]]:
    """Return the items of a list with `updated` as a time, and whether that was just now."""
    return [_row(item, moment(item["updatedAt"]), now) for item in items]


def _row(item: dict[str, Any], updated: datetime, now: datetime) -> dict[str, Any]:
    return item | {"updated": updated, "is_fresh": now - updated < FRESH}


def moment(text: str) -> datetime:
    """Return the time that the wire form writes."""
    return datetime.fromisoformat(text)
