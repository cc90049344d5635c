"""Which format is active, and the button that changes it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from formats import selectors as settings
from formats.services.settings import patch_settings
from formats.stored.instruct_format import NAME
from neotavern.accounts.actor import Actor
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library import selectors


def active_slug(actor: Actor) -> str:
    """Return the slug that the team's settings name, empty when there is none."""
    pointer = settings.settings_document(actor).get("instructFormat") or ""
    return str(pointer).partition("@")[0]


@require_POST
@team_page("write")
def activate(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Let renders that name no format use this one."""
    item = selectors.get_item(request.actor, kind=NAME, slug=slug)
    patch_settings(request.actor, {"instructFormat": item.slug})
    messages.success(request, _("“%(name)s” is active: requests that name no format use it.") % {"name": item.name})
    back = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}, require_https=request.is_secure()):
        return redirect(back)
    return redirect("item-page", team, slug)
