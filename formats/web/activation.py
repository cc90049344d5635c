"""What is active for the team and for one person, and the buttons that change it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from formats import selectors as settings
from formats.kinds import CONTEXT_TEMPLATE
from formats.selectors import Default
from formats.services import defaults
from formats.stored.instruct_format import NAME
from neotavern.accounts import permissions
from neotavern.accounts.actor import Actor
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library import kinds, selectors
from neotavern.library.kinds import Kind
from neotavern.library.web.addresses import way_back


def slug_of(pointer: Any) -> str:
    """Return the slug of a setting such as `house@production`, empty for none."""
    return str(pointer or "").partition("@")[0]


def defaults_of_kind(actor: Actor, kind: Kind) -> Default:
    """Return which object of `kind` the team has as its default, and which the person has."""
    return settings.defaults_of(actor)[defaults.FIELDS[kind.name]]


def buttons(actor: Actor, kind: Kind, slug: str) -> dict[str, bool] | None:
    """Return which default buttons the page of an object has; None for a kind without a default."""
    if kind.name not in defaults.FIELDS:
        return None
    found, not_theirs = defaults_of_kind(actor, kind), kind.name != CONTEXT_TEMPLATE
    return {
        "is_team": slug_of(found.team) == slug,
        "has_mine": found.is_mine,
        "is_mine": found.is_mine and slug_of(found.mine) == slug,
        "may_team": permissions.may_set_defaults(actor) and (not_theirs or permissions.may(actor, "administer")),
    }


def active_slug(actor: Actor) -> str:
    """Return the slug of the team's active format, empty when there is none."""
    return slug_of(defaults_of_kind(actor, kinds.get(NAME)).team)


@require_POST
@team_page("read")
def default(request: PageRequest, team: str, kind: Kind, slug: str) -> HttpResponse:
    """Make an object the default of the team, with `for=me` one's own, or with `for=follow` do as the team does."""
    if kind.name not in defaults.FIELDS:
        raise Http404
    item = selectors.get_item(request.actor, kind=kind.name, slug=slug)
    whose = request.POST.get("for", "team")
    if whose == "me":
        defaults.make_my_default(request.actor, kind=kind.name, pointer=item.slug)
        text = _("“%(name)s” is active for you: what you render in this browser uses it.")
    elif whose == "follow":
        defaults.follow_the_team(request.actor, kind=kind.name)
        text = _("You use what the team has.")
    else:
        defaults.make_team_default(request.actor, kind=kind.name, pointer=item.slug)
        text = _("“%(name)s” is active for the team: requests that name none use it.")
    messages.success(request, text % {"name": item.name} if "%(" in text else text)
    return redirect(way_back(request, reverse("kind-page", args=[team, kind, slug])))
