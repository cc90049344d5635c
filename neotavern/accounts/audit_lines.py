"""Audit entries as JSON: one shape for the API, its NDJSON and the export of the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
from django.db.models import QuerySet

from neotavern.accounts.models import AuditEntry


def shape(row: AuditEntry) -> dict[str, Any]:
    """Return an entry with the API's names."""
    return {
        "id": row.pk,
        "at": row.at,
        "actor": row.actor_name,
        "via": row.via,
        "action": row.action,
        "kind": row.item_kind,
        "slug": row.item_slug,
        "fromRevision": row.from_number,
        "toRevision": row.to_number,
        "before": row.before or None,
        "after": row.after or None,
        "requestId": row.request_id,
    }


def lines(rows: QuerySet[AuditEntry]) -> Iterator[bytes]:
    """Return NDJSON, read from the database piece by piece."""
    for row in rows.iterator(chunk_size=500):
        yield orjson.dumps(shape(row)) + b"\n"
