"""Archive, bring back, restore: buttons of every stored kind."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library import selectors, services


@require_POST
@team_page("write")
def archive(request: PageRequest, team: str, slug: str, *, kind: str, page: str, listing: str) -> HttpResponse:
    """Put an object into the trash and go back to the list."""
    item = selectors.get_item(request.actor, kind=kind, slug=slug)
    services.archive(request.actor, item=item)
    messages.success(
        request, _("“%(name)s” is archived. You find it under Archived and can bring it back.") % {"name": item.name}
    )
    return redirect(listing, team)


@require_POST
@team_page("write")
def unarchive(request: PageRequest, team: str, slug: str, *, kind: str, page: str, listing: str) -> HttpResponse:
    """Take an object out of the trash and show it."""
    item = selectors.get_item(request.actor, kind=kind, slug=slug, archived=True)
    services.unarchive(request.actor, item=item)
    messages.success(request, _("“%(name)s” is back.") % {"name": item.name})
    return redirect(page, team, slug)


@require_POST
@team_page("write")
def restore(
    request: PageRequest, team: str, slug: str, number: int, *, kind: str, page: str, listing: str
) -> HttpResponse:
    """Make a new revision out of an old one and show it."""
    item = selectors.get_item(request.actor, kind=kind, slug=slug)
    saved = services.restore(request.actor, item=item, number=number)
    if saved.is_new:
        text = _("Revision %(old)d is back as revision %(new)d.") % {"old": number, "new": saved.revision.number}
    else:
        text = _("Revision %(old)d is what revision %(new)d says already.") % {
            "old": number,
            "new": saved.revision.number,
        }
    messages.success(request, text)
    return redirect(page, team, slug)
