"""Wire shapes that lists and single objects share."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from neotavern.library.etags import etag
from neotavern.library.models import Item

if TYPE_CHECKING:
    from neotavern.library.listing import Listed


def summary(
    item: Item | Listed, *, number: int, checks: str, labels: dict[str, int], tags: list[str]
) -> dict[str, Any]:
    """Return the contract's stored object without its document."""
    return {
        "slug": item.slug,
        "name": item.name,
        "kind": item.kind,
        "description": item.description,
        "builtin": item.is_builtin,
        "archived": item.is_archived,
        "revision": number,
        "latest": item.head,
        "checks": checks,
        "labels": labels,
        "tags": tags,
        "updatedAt": wire_time(item.updated_at),
        "updatedBy": item.updated_by_name or None,
        "etag": etag(item, number),
    }


def wire_time(value: datetime) -> str:
    """Return a UTC time as ISO 8601 with Z."""
    return value.isoformat().replace("+00:00", "Z")
