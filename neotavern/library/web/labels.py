"""Labels of an object: move one, make one, delete one; a page of its own, and a dialog where a script runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from neotavern.accounts import permissions, policy
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError
from neotavern.library import selectors, services
from neotavern.library.etags import etag
from neotavern.library.kinds import Kind
from neotavern.library.models import Checks, Item
from neotavern.library.services import Base
from neotavern.library.web.addresses import number_of, way_back
from neotavern.library.web.collections import frame


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A label, where it points, and whether the person may move it."""

    name: str
    number: int
    may_move: bool
    is_protected: bool


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("read")
def page(request: PageRequest, team: str, kind: Kind, slug: str) -> HttpResponse:
    """Show the labels and the revision they could move to; with a form, move or delete one."""
    item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
    if request.method != "POST":
        return _answer(request, kind, item, number_of(request.GET.get("to", "")))
    number = number_of(request.POST.get("to", ""))
    try:
        text = _change(request, item, number)
    except AppError as error:
        item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
        return _answer(request, kind, item, number, error)
    messages.success(request, text)
    return redirect(way_back(request, reverse("kind-page", args=[team, kind, slug])))


def _change(request: PageRequest, item: Item, number: int | None) -> str:
    """Do what the form says and return it in words. The ETag makes a stale dialog harmless."""
    name = request.POST.get("label", "").strip()
    base = Base(if_match=request.POST.get("etag") or None)
    if request.POST.get("action") == "delete":
        services.delete_label(request.actor, item=item, name=name, base=base)
        return _("The label %(name)s is gone.") % {"name": name}
    move = services.move_label(request.actor, item=item, name=name, number=number or 0, base=base)
    if move.previous is None:
        return _("The new label %(name)s points at revision %(n)d.") % {"name": name, "n": move.revision}
    return _("%(name)s: %(old)d → %(new)d. The next request uses it.") % {
        "name": name,
        "old": move.previous,
        "new": move.revision,
    }


def _answer(
    request: PageRequest, kind: Kind, item: Item, to: int | None, error: AppError | None = None
) -> HttpResponse:
    found, _following = selectors.list_revisions(item)
    choices = [one for one in found if one["checks"] != Checks.RED]
    to = to or item.head
    shown = selectors.revision(item, number=to) if to else None
    team_policy = policy.of(request.actor)
    may_write = permissions.may(request.actor, "move_label") and not (item.is_builtin or item.is_archived)
    context: dict[str, Any] = frame(
        kind,
        item=item,
        choices=choices,
        to=to,
        is_red=shown is not None and shown.checks == Checks.RED,
        labels=[
            LabelRow(
                name,
                number,
                may_write and permissions.may_move_label(request.actor, name, team_policy),
                name in team_policy.protected_labels,
            )
            for name, number in item.labels.order_by("name").values_list("name", "number")
        ],
        may_write=may_write,
        etag=etag(item, item.last_number),
        error=error,
        next=request.POST.get("next") or request.GET.get("next", ""),
        typed=request.POST.get("label", "") if error and request.POST.get("action") == "new" else "",
    )
    is_dialog = request.htmx and error is None
    template = "library/_labels.html" if is_dialog else "library/labels.html"
    return render(request, template, context | {"is_dialog": is_dialog}, status=error.status if error else 200)
