"""/audit: who did what, newest first, filtered, or as NDJSON for keeping elsewhere."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router
from ninja.responses import Response

from neotavern.accounts import audit_lines, permissions, selectors
from neotavern.accounts.api.shapes import AuditOut, AuditPage
from neotavern.accounts.auth import ApiRequest
from neotavern.accounts.models import AuditEntry
from neotavern.ground.http import ERRORS
from neotavern.ground.limits import MAX_PAGE_SIZE, PAGE_SIZE
from neotavern.ground.wire import WireModel

router = Router(tags=["Audit"], by_alias=True)


class AuditQuery(WireModel):
    """What to show."""

    kind: str = ""
    slug: str = ""
    action: str = ""
    actor: str = ""
    cursor: int | None = None
    limit: int = PAGE_SIZE


@router.get("/audit", response={200: AuditPage, **ERRORS(403, 422)})
def read_audit(request: HttpRequest, query: Query[AuditQuery]) -> Any:
    """Return a page of the trail; `Accept: application/x-ndjson` streams all of it."""
    actor = cast(ApiRequest, request).actor
    permissions.require(actor, "administer")
    rows = selectors.audit_entries(
        actor, kind=query.kind, slug=query.slug, action=query.action, name=query.actor, before=query.cursor
    )
    if request.headers.get("Accept", "").startswith("application/x-ndjson"):
        return StreamingHttpResponse(audit_lines.lines(rows), content_type="application/x-ndjson")
    limit = max(1, min(query.limit, MAX_PAGE_SIZE))
    found = list(rows[: limit + 1])
    cursor = str(found[limit - 1].pk) if len(found) > limit else None
    return Response(AuditPage(items=[_out(row) for row in found[:limit]], next_cursor=cursor).model_dump(by_alias=True))


def _out(row: AuditEntry) -> AuditOut:
    return AuditOut.model_validate(audit_lines.shape(row))
