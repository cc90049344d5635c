"""Keys of programs: listed, made and shown once, revoked with their record kept."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from neotavern.accounts import selectors
from neotavern.accounts.actor import SCOPES
from neotavern.accounts.models import ApiKey
from neotavern.accounts.services import keys as services
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError, invalid

SCOPE_WORDS = {
    "read": lazy("read documents, list and search"),
    "render": lazy("render prompts and count tokens"),
    "write": lazy("change documents, labels and settings; includes read"),
    "admin": lazy("everything: people, keys, audit, deleting for good"),
}
SOON = timedelta(days=14)


@never_cache
@require_http_methods(["GET", "POST"])
@team_page("administer")
def keys(request: PageRequest, team: str) -> HttpResponse:
    """Show the keys; a POST makes one."""
    if request.method == "GET":
        return _shown(request, form={"scopes": ["render"]})
    name, expires = request.POST.get("name", ""), request.POST.get("expires", "")
    form = {"name": name, "scopes": request.POST.getlist("scopes"), "expires": expires}
    try:
        made = services.make_key(
            actor=request.actor, name=name, scopes=request.POST.getlist("scopes"), expires_at=_end_of(expires)
        )
    except AppError as error:
        return _shown(request, status=error.status, form=form, error=error)
    return _shown(request, status=201, form={"scopes": ["render"]}, made=made, address=request.build_absolute_uri("/"))


def _end_of(day: str) -> datetime | None:
    """Return the end of a day in UTC, so that the day itself still counts."""
    if not day:
        return None
    try:
        parsed = parse_date(day)
    except ValueError:
        parsed = None
    if parsed is None or parsed.year == 9999:
        raise invalid("expiresAt", _("Write the day as 2027-01-31."))
    return datetime.combine(parsed, time.min, UTC) + timedelta(days=1)


def _shown(request: PageRequest, *, status: int = 200, **extra: Any) -> HttpResponse:
    now = request.actor.now
    context = {
        "keys": [_row(key, now) for key in selectors.api_keys(request.actor)],
        "scopes": [(name, SCOPE_WORDS[name]) for name in SCOPES],
        "section": "team",
        "tab": "keys",
        "now": now,
        "today": now.date().isoformat(),
    }
    return render(request, "team/keys.html", context | extra, status=status)


def _row(key: ApiKey, now: datetime) -> dict[str, Any]:
    is_expired = key.expires_at is not None and key.expires_at <= now
    return {
        "key": key,
        "scopes": key.scopes.split(),
        "is_expired": is_expired,
        "is_alive": key.revoked_at is None and not is_expired,
        "ends_soon": key.expires_at is not None and not is_expired and key.expires_at - now < SOON,
    }


@require_http_methods(["GET", "POST"])
@team_page("administer")
def revoke(request: PageRequest, team: str, key_id: int) -> HttpResponseBase:
    """Ask, then end a key."""
    row = selectors.api_key(request.actor, key_id)
    if request.method == "GET":
        return render(request, "team/revoke.html", {"key": row, "section": "team", "tab": "keys"})
    services.revoke_key(actor=request.actor, key_id=key_id)
    messages.success(request, _("The key %(name)s is revoked.") % {"name": row.name})
    return redirect("keys", team=team)
