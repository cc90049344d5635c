"""The list of formats."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from formats.stored.instruct_format import NAME
from formats.web.activation import active_slug
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library import selectors
from neotavern.library.web.rows import rows

ORIGINS = {"team": False, "builtin": True}


@require_safe
@team_page("read")
def page(request: PageRequest, team: str) -> HttpResponse:
    """Show formats, newest change first; htmx asks for the rows alone."""
    asked = request.GET
    narrow: dict[str, Any] = {
        "search": asked.get("q", "").strip(),
        "tag": asked.get("tag") or None,
        "builtin": ORIGINS.get(asked.get("origin", "")),
        "archived": asked.get("archived") == "1",
        "cursor": asked.get("cursor") or None,
    }
    found = selectors.list_items(request.actor, kind=NAME, **narrow)
    context = {
        "section": "formats",
        "items": rows(found.items, request.actor.now),
        "next_page": _with(request, cursor=found.next_cursor) if found.next_cursor else "",
        "active": active_slug(request.actor),
        "is_narrowed": any(value for value in (narrow["search"], narrow["tag"], asked.get("origin"))),
        "without_tag": _with(request, tag=None, cursor=None),
        **narrow,
        "origin": asked.get("origin", ""),
    }
    return render(request, "formats/_rows.html" if request.htmx else "formats/list.html", context)


def _with(request: PageRequest, **changes: str | None) -> str:
    """Return the query of this page with other values; None takes one away."""
    query = request.GET.copy()
    for name, value in changes.items():
        query.pop(name, None)
        if value is not None:
            query[name] = value
    return "?" + query.urlencode()
