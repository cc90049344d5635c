"""The audit trail: filtered, by keyset pages, with what was before and after; and all of it as NDJSON."""

from __future__ import annotations

import json
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from neotavern.accounts import audit_lines, selectors
from neotavern.accounts.models import AuditEntry
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.limits import PAGE_SIZE

FILTERS = ("kind", "slug", "action", "name")


def _filters(request: PageRequest) -> dict[str, str]:
    return {key: request.GET.get(key, "").strip() for key in FILTERS}


def _entries(request: PageRequest, wanted: dict[str, str], before: int | None = None) -> QuerySet[AuditEntry]:
    return selectors.audit_entries(
        request.actor,
        kind=wanted["kind"],
        slug=wanted["slug"],
        action=wanted["action"],
        name=wanted["name"],
        before=before,
    )


@require_GET
@team_page("administer")
def trail(request: PageRequest, team: str) -> HttpResponse:
    """Show the newest entries, or those before `cursor`."""
    wanted = _filters(request)
    cursor = request.GET.get("cursor", "")
    before = int(cursor) if cursor.isascii() and cursor.isdigit() and len(cursor) < 19 else None
    found = list(_entries(request, wanted, before)[: PAGE_SIZE + 1])
    given = {key: value for key, value in wanted.items() if value}
    context: dict[str, Any] = {
        "entries": [_row(entry) for entry in found[:PAGE_SIZE]],
        "older": urlencode(given | {"cursor": found[PAGE_SIZE - 1].pk}) if len(found) > PAGE_SIZE else "",
        "export": urlencode(given),
        "wanted": wanted,
        "is_narrowed": bool(given) or before is not None,
        "section": "team",
        "tab": "audit",
    }
    if request.headers.get("HX-Request"):
        return render(request, "team/_trail.html", context)
    context["actions"] = selectors.audit_actions(request.actor)
    return render(request, "team/audit.html", context)


def _row(entry: AuditEntry) -> dict[str, Any]:
    before, after = _pretty(entry.before), _pretty(entry.after)
    return {"entry": entry, "before": before, "after": after, "is_long": "\n" in before + after or len(after) > 120}


def _pretty(text: str) -> str:
    """Return JSON on several lines; other text as it stands."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return json.dumps(value, indent=2, ensure_ascii=False) if isinstance(value, dict | list) else text


@require_GET
@team_page("administer")
def export(request: PageRequest, team: str) -> HttpResponseBase:
    """Send all entries that the filters leave, newest first, one JSON object a line."""
    rows = _entries(request, _filters(request))
    response = StreamingHttpResponse(audit_lines.lines(rows), content_type="application/x-ndjson")
    response["Content-Disposition"] = f'attachment; filename="{team}-audit.ndjson"'
    return response
