"""The list of a collection: the team's objects and the built-ins, the trash with `?archived=1`."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library import selectors
from neotavern.library.kinds import Kind
from neotavern.library.web.addresses import with_query
from neotavern.library.web.badges import with_badges
from neotavern.library.web.collections import frame
from neotavern.library.web.rows import rows

ORIGINS = {"team": False, "builtin": True}


@require_safe
@team_page("read")
def page(request: PageRequest, team: str, kind: Kind) -> HttpResponse:
    """Show a collection."""
    return answer(request, kind)


def answer(request: PageRequest, kind: Kind, **more: Any) -> HttpResponse:
    """Return a collection, newest change first; htmx asks for the rows alone. `more` is for the template."""
    asked = request.GET
    narrow: dict[str, Any] = {
        "search": asked.get("q", "").strip(),
        "tag": asked.get("tag") or None,
        "builtin": ORIGINS.get(asked.get("origin", "")),
        "archived": asked.get("archived") == "1",
        "cursor": asked.get("cursor") or None,
    }
    found = selectors.list_items(request.actor, kind=kind.name, **narrow)
    context = frame(
        kind,
        items=with_badges(request.actor, kind, rows(found.items, request.actor.now)),
        next_page=with_query(request, cursor=found.next_cursor) if found.next_cursor else "",
        is_narrowed=any(value for value in (narrow["search"], narrow["tag"], asked.get("origin"))),
        without_tag=with_query(request, tag=None, cursor=None),
        here=request.get_full_path(),
        **narrow,
        origin=asked.get("origin", ""),
        **more,
    )
    return render(request, "library/_rows.html" if request.htmx else "library/list.html", context)
