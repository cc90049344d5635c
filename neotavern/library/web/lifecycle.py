"""Archive, bring back, restore, delete for good, clone, export: what every stored kind has buttons for."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError
from neotavern.library import kinds, selectors, services
from neotavern.library.kinds import Kind
from neotavern.library.models import Item
from neotavern.library.web.addresses import number_of, way_back
from neotavern.library.web.collections import frame

SPOKEN = frozenset({"characters", "personas"})
"""Collections whose objects are called in prompts by their name."""


@require_POST
@team_page("write")
def archive(request: PageRequest, team: str, kind: Kind, slug: str) -> HttpResponse:
    """Put an object into the trash and go back to the list."""
    item = selectors.get_item(request.actor, kind=kind.name, slug=slug)
    services.archive(request.actor, item=item)
    messages.success(
        request, _("“%(name)s” is archived. You find it under Archived and can bring it back.") % {"name": item.name}
    )
    return redirect("kind-list", team, kind)


@require_POST
@team_page("write")
def unarchive(request: PageRequest, team: str, kind: Kind, slug: str) -> HttpResponse:
    """Take an object out of the trash and show it."""
    item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
    services.unarchive(request.actor, item=item)
    messages.success(request, _("“%(name)s” is back.") % {"name": item.name})
    return redirect("kind-page", team, kind, slug)


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("delete")
def delete(request: PageRequest, team: str, kind: Kind, slug: str) -> HttpResponse:
    """Ask whether an object is to go for good, with all its revisions, or delete it."""
    item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
    trash = reverse("kind-list", args=[team, kind]) + "?archived=1"
    if request.method != "POST":
        return render(request, "library/delete.html", frame(kind, slugs=[slug], item=item, back=trash))
    services.delete(request.actor, item=item)
    messages.success(request, _("“%(name)s” is deleted for good.") % {"name": item.name})
    return redirect(trash)


@require_POST
@team_page("write")
def restore(request: PageRequest, team: str, kind: Kind, slug: str, number: int) -> HttpResponse:
    """Make a new revision out of an old one and show it."""
    item = selectors.get_item(request.actor, kind=kind.name, slug=slug)
    saved = services.restore(request.actor, item=item, number=number)
    numbers = {"old": number, "new": saved.revision.number}
    if saved.is_new:
        text = _("Revision %(old)d is back as revision %(new)d.") % numbers
    else:
        text = _("Revision %(old)d is what revision %(new)d says already.") % numbers
    messages.success(request, text)
    return redirect(way_back(request, reverse("kind-page", args=[team, kind, slug])))


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("write")
def clone(request: PageRequest, team: str, kind: Kind, slug: str) -> HttpResponse:
    """Ask for the slug of a copy, or make the copy."""
    item = selectors.get_item(request.actor, kind=kind.name, slug=slug)
    context: dict[str, Any] = frame(
        kind,
        item=item,
        slug=request.POST.get("slug", f"{item.slug}-copy"),
        name=request.POST.get("name", _name_of_copy(kind, item)),
    )
    if request.method != "POST":
        return render(request, "library/clone.html", context)
    try:
        slug = request.POST.get("slug", "").strip()
        saved = services.clone(request.actor, item=item, slug=slug, name=request.POST.get("name", ""))
    except AppError as error:
        return render(request, "library/clone.html", context | {"error": error}, status=error.status)
    messages.success(request, _("This is your copy of “%(name)s”. Change it as you like.") % {"name": item.name})
    return redirect("kind-page", team, kind, saved.item.slug)


def _name_of_copy(kind: Kind, item: Item) -> str:
    """Return the name to start from; that of somebody in a story stays, since it is spoken."""
    return item.name if kind.plural_path in SPOKEN else _("%(name)s copy") % {"name": item.name}


@require_safe
@team_page("read")
def export(request: PageRequest, team: str, kind: Kind, slug: str) -> HttpResponse:
    """Send the bare document as a file; `?as=` names another style of the kind."""
    item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
    revision = selectors.revision(item, number=number_of(request.GET.get("revision", "")))
    exporter = kinds.exporter_of(kind, request.GET.get("as", "neotavern"))
    file = exporter(selectors.whole_document(item, revision), None)
    response = HttpResponse(file.body, content_type=file.content_type)
    response["Content-Disposition"] = f'attachment; filename="{item.slug}.{file.extension}"'
    return response
