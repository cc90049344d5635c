"""Search over objects and actions: one list for the dialog, a page of its own without a script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from neotavern.accounts import permissions
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library import kinds, selectors

MOST = 12


@dataclass(frozen=True, slots=True)
class Found:
    """A line of the list: where it leads, its name, and what it is."""

    url: str
    name: str
    detail: str
    what: str


@require_safe
@team_page("read")
def page(request: PageRequest, team: str) -> HttpResponse:
    """Answer the list alone to the dialog, a whole page to everyone else."""
    text = request.GET.get("q", "")
    context = {"query": text, "found": [*_objects(request, team, text), *_actions(request, team, text)]}
    template = "library/_found.html" if request.htmx else "library/search.html"
    return render(request, template, context)


def _objects(request: PageRequest, team: str, text: str) -> list[Found]:
    found = []
    for kind in kinds.kinds():
        if kind.plural_path is None:
            continue
        for item in selectors.list_items(request.actor, kind=kind.name, search=text, limit=MOST).items:
            url = _url(team, item)
            if url:
                found.append(Found(url, item["name"], item["slug"], _mark(item)))
    return found[:MOST]


def _mark(item: dict[str, Any]) -> str:
    return _("built-in format") if item["builtin"] else _("format")


def _url(team: str, item: dict[str, Any]) -> str:
    """Return the page of an object, empty for a kind that has no page yet."""
    try:
        return reverse("item-page", args=[team, item["slug"]]) if item["kind"] == "instruct-format" else ""
    except NoReverseMatch:
        return ""


def _actions(request: PageRequest, team: str, text: str) -> list[Found]:
    actions = [("library-list", _("All formats")), ("settings-page", _("Settings: active format, variables"))]
    if permissions.may(request.actor, "write"):
        actions += [("format-new", _("New format")), ("format-import", _("Import files"))]
    words = text.casefold().split()
    return [
        Found(reverse(name, args=[team]), label, "", _("action"))
        for name, label in actions
        if all(word in label.casefold() for word in words)
    ]
