"""The revisions of an object: who saved what and why, with everything that starts from one of them."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library import selectors
from neotavern.library.kinds import Kind
from neotavern.library.web.collections import frame
from neotavern.library.web.rows import moment


@require_safe
@team_page("read")
def page(request: PageRequest, team: str, kind: Kind, slug: str) -> HttpResponse:
    """Show the revisions, newest first."""
    item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
    found, following = selectors.list_revisions(item, cursor=request.GET.get("cursor") or None, limit=100)
    names: dict[int, list[str]] = {}
    for name, number in item.labels.order_by("name").values_list("name", "number"):
        names.setdefault(number, []).append(name)
    rows = [
        one
        | {
            "created": moment(one["createdAt"]),
            "labels": names.get(one["revision"], []),
            "previous": one["revision"] - 1,
        }
        for one in found
    ]
    context = frame(kind, item=item, revisions=rows, next_cursor=following)
    return render(request, "library/revisions.html", context)
