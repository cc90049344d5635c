"""The settings page: what renders use unless a request says otherwise."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from formats import selectors as settings
from formats.services.settings import patch_settings
from formats.stored.instruct_format import NAME
from formats.web.widgets import Unreadable, escaped, unescaped
from neotavern.accounts import permissions
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError, invalid
from neotavern.library import selectors

MODES = {"": None, "true": True, "false": False}
MOST_FORMATS = 200


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("read")
def page(request: PageRequest, team: str) -> HttpResponse:
    """Show the settings, or change them."""
    document = settings.settings_document(request.actor)
    typed = "\n".join(f"{name}={escaped(value)}" for name, value in (document.get("variables") or {}).items())
    if request.method != "POST":
        return _answer(request, document, typed)
    permissions.require(request.actor, "write")
    typed = request.POST.get("variables", "").replace("\r\n", "\n")
    changes: dict[str, Any] = {
        "instructFormat": request.POST.get("instructFormat") or None,
        "serializeAsText": MODES.get(request.POST.get("serializeAsText", "")),
    }
    try:
        changes["variables"] = read_variables(typed)
        patch_settings(request.actor, changes)
    except AppError as error:
        return _answer(request, {**document, **changes}, typed, error)
    messages.success(request, _("The settings are saved; the next request uses them."))
    return redirect("settings-page", team)


def _answer(request: PageRequest, document: dict[str, Any], typed: str, error: AppError | None = None) -> HttpResponse:
    formats = selectors.list_items(request.actor, kind=NAME, limit=MOST_FORMATS).items
    active = document.get("instructFormat") or ""
    context = {
        "section": "settings",
        "formats": sorted(formats, key=lambda item: (item["builtin"], item["name"].casefold())),
        "active": active,
        "is_listed": any(item["slug"] == active for item in formats) or not active,
        "as_text": document.get("serializeAsText"),
        "variables": typed,
        "error": error,
        "errors": {detail.path.split(".")[0]: detail.message for detail in error.details} if error else {},
    }
    return render(request, "formats/settings.html", context, status=error.status if error else 200)


def read_variables(text: str) -> dict[str, str]:
    """Return the variables of `name=value` lines; `\\n` in a value is a newline. Raises VALIDATION with the line."""
    variables: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        name, sign, value = line.partition("=")
        if not sign or not name.strip():
            raise invalid("variables", _("Line %(n)d is not name=value.") % {"n": number})
        try:
            variables[name.strip()] = unescaped(value, number)
        except Unreadable as error:
            raise invalid("variables", _("Line %(n)d: %(why)s") % {"n": number, "why": error.message}) from error
    return variables
