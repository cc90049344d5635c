"""Search over objects of every kind and actions: one list for the dialog, a page of its own without a script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from neotavern.accounts import permissions
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library import kinds
from neotavern.library.finding import find
from neotavern.library.web.collections import collections, singular_of, title_of

MOST = 16
MOST_ACTIONS = 12


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
    objects = [_found(team, hit) for hit in find(request.actor, text, limit=MOST)]
    context = {"query": text, "found": [*objects, *_actions(request, team, text)]}
    template = "library/_found.html" if request.htmx else "library/search.html"
    return render(request, template, context)


def _found(team: str, hit: dict[str, Any]) -> Found:
    singular = singular_of(kinds.get(hit["kind"]))
    what = _("built-in %(kind)s") % {"kind": singular} if hit["builtin"] else singular
    return Found(reverse("kind-page", args=[team, hit["collection"], hit["slug"]]), hit["name"], hit["slug"], what)


def _actions(request: PageRequest, team: str, text: str) -> list[Found]:
    words = text.casefold().split()
    found = [
        Found(url, label, "", _("action"))
        for url, label in _all_actions(request, team)
        if all(word in label.casefold() for word in words)
    ]
    return found[:MOST_ACTIONS]


def _all_actions(request: PageRequest, team: str) -> list[tuple[str, str]]:
    may_write = permissions.may(request.actor, "write")
    may_administer = permissions.may(request.actor, "administer")
    actions: list[tuple[str, str]] = []
    for kind in collections():
        title, singular = title_of(kind), singular_of(kind)
        actions.append((reverse("kind-list", args=[team, kind]), _("All: %(kind)s") % {"kind": title}))
        if may_write:
            actions.append((reverse("kind-new", args=[team, kind]), _("New: %(kind)s") % {"kind": singular}))
    actions.append((reverse("settings-page", args=[team]), _("Settings: active format, variables")))
    if may_write:
        actions.append((reverse("import-page", args=[team]), _("Import files")))
    actions.append((reverse("import-list", args=[team]), _("Past imports")))
    if may_administer:
        actions += [
            (reverse("people", args=[team]), _("People and roles")),
            (reverse("keys", args=[team]), _("Keys of programs")),
            (reverse("audit", args=[team]), _("Audit trail")),
        ]
    return actions
