"""The lists of kinds that a team or a person has a default of: formats and presets."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from formats.web.activation import defaults_of_kind, slug_of
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library.kinds import Kind
from neotavern.library.web import listing


@require_safe
@team_page("read")
def page(request: PageRequest, team: str, kind: Kind) -> HttpResponse:
    """Show the list with what is active in it."""
    found = defaults_of_kind(request.actor, kind)
    active = slug_of(found.team)
    return listing.answer(
        request,
        kind,
        active=active,
        mine=slug_of(found.mine) if found.is_mine else "",
        has_default=True,
        summary=_summary(kind, active),
    )


def _summary(kind: Kind, active: str) -> str:
    if active:
        return _("active: %(slug)s") % {"slug": active}
    if kind.plural_path == "formats":
        return _("none is active: requests that name no format get the messages as they are")
    return _("none is active")
