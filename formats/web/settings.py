"""The settings pages: what renders use unless a request says otherwise, for the team and for one person."""

from __future__ import annotations

from typing import Any

import orjson
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from formats import selectors as settings
from formats.selectors import Settings
from formats.services.settings import patch_personal, patch_settings
from formats.web.settings_fields import TEAM, Setting, choices_of, read_changes, read_value, shown_settings, to_text
from formats.web.variable_uses import uses_of
from formats.web.variables import VARIABLES, drafted, read_rows, shown_variables
from neotavern.accounts import permissions
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError, ErrorCode
from neotavern.library import diff
from neotavern.library.web import comparison

ATTEMPTS = 5
DO = "do"
"""The field of buttons that change the form and save nothing."""


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("read")
def page(request: PageRequest, team: str) -> HttpResponse:
    """Show the team's settings, or change them. Two people who change different ones do not meet."""
    found = settings.team_settings(request.actor)
    if request.method != "POST":
        return _answer(request, found, {})
    permissions.require_set_defaults(request.actor)
    base = _base(request, found)
    changes: dict[str, Any] = {}
    try:
        changes = read_changes(request.POST, base)
        if DO in request.POST:
            return _answer(request, found, changes)
        theirs = _save(request, changes, base)
    except AppError as error:
        return _answer(request, found, changes, error=error)
    if theirs is not None:
        return _answer(request, theirs, changes, is_conflict=True)
    messages.success(request, _("The settings are saved; the next request uses them."))
    return redirect("settings-page", team)


def _base(request: PageRequest, found: Settings) -> dict[str, Any]:
    """Return the settings that the form was made from."""
    try:
        posted = orjson.loads(request.POST.get("base", ""))
    except orjson.JSONDecodeError:
        return found.document
    return posted if isinstance(posted, dict) else found.document


def _save(request: PageRequest, changes: dict[str, Any], base: dict[str, Any]) -> Settings | None:
    """Save, or return the present settings when somebody else has changed one of the same meanwhile."""
    for attempt in range(ATTEMPTS):
        now = settings.team_settings(request.actor)
        if any(now.document.get(name) != base.get(name) for name in changes):
            return now
        try:
            patch_settings(request.actor, changes, base_revision=now.revision, note=request.POST.get("note", ""))
        except AppError as error:
            if error.code is not ErrorCode.CONFLICT or attempt == ATTEMPTS - 1:
                raise
            continue
        return None
    return None


def _answer(
    request: PageRequest,
    found: Settings,
    changes: dict[str, Any],
    *,
    error: AppError | None = None,
    is_conflict: bool = False,
) -> HttpResponse:
    document = found.document | changes
    errors = {detail.path.split(".")[0]: detail.message for detail in error.details} if error else {}
    rows = [_row(request, one, document.get(one.name), errors) for one in shown_settings()]
    context = {
        "section": "settings",
        "whose": "team",
        "rows": rows,
        "may_set": permissions.may_set_defaults(request.actor),
        "may_write": permissions.may(request.actor, "write"),
        "found": found,
        "base": orjson.dumps(found.document).decode(),
        **_variables(request, document, error, may_set=permissions.may_set_defaults(request.actor)),
        "error": error,
        "changes": comparison.shown(diff.documents(found.document, document)) if is_conflict else [],
        "is_conflict": is_conflict,
    }
    status = error.status if error else 409 if is_conflict else 200
    return render(request, "formats/settings.html", context, status=status)


def _variables(
    request: PageRequest, document: dict[str, Any], error: AppError | None, *, may_set: bool
) -> dict[str, Any]:
    """Return the rows of the variables, each fault at its row, and where each is used."""
    rows = drafted(request.POST, document)
    names = [str(row["name"]).strip() for row in rows]
    shown = shown_variables(rows, error.details if error else ())
    return {"list": shown, "is_editable": may_set, "uses": uses_of(request.actor, names)}


def _row(request: PageRequest, one: Setting, value: Any, errors: dict[str, str]) -> dict[str, Any]:
    typed = request.POST.get(one.name) if one.name in errors else None
    return {
        "setting": one,
        "text": to_text(one, value) if typed is None else typed,
        "choices": [] if one.is_text else choices_of(request.actor, one, value),
        "error": errors.get(one.name, ""),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("read")
def mine(request: PageRequest, team: str) -> HttpResponse:
    """Show what a person has set for herself, or change it; what says "as the team" is no longer hers."""
    found = settings.personal_settings(request.actor)
    if request.method != "POST":
        return _mine(request, found)
    if DO in request.POST:
        return _mine(request, found)
    try:
        changes, unset = _personal_changes(request, found.document)
        patch_personal(request.actor, changes, unset=unset)
    except AppError as error:
        return _mine(request, found, error)
    messages.success(request, _("Your own settings are saved."))
    return redirect("settings-mine", team)


def _personal_changes(request: PageRequest, document: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    changes: dict[str, Any] = {}
    unset = []
    variables = read_rows(request.POST, {})
    if variables:
        changes[VARIABLES] = variables
    elif variables is not None and VARIABLES in document:
        unset.append(VARIABLES)
    for one in shown_settings():
        text = None if one.name == VARIABLES else request.POST.get(one.name)
        if text is None:
            continue
        text = text.replace("\r\n", "\n")
        if text == TEAM or (one.is_text and not text.strip()):
            unset += [one.name] if one.name in document else []
        else:
            changes[one.name] = read_value(one, text)
    return changes, unset


def _mine(request: PageRequest, found: Settings, error: AppError | None = None) -> HttpResponse:
    team = settings.settings_document(request.actor)
    errors = {detail.path.split(".")[0]: detail.message for detail in error.details} if error else {}
    rows = []
    for one in shown_settings():
        row = _row(request, one, found.document.get(one.name), errors)
        held = to_text(one, team.get(one.name))
        words = dict(choices_of(request.actor, one, team.get(one.name))) if not one.is_text else {}
        rows.append(row | {"is_mine": one.name in found.document, "team": words.get(held, held) or str(one.nothing)})
    context = {
        "section": "settings",
        "whose": "me",
        "rows": rows,
        "may_set": True,
        "may_write": True,
        "found": found,
        "error": error,
        "as_team": TEAM,
        **_variables(request, found.document, error, may_set=True),
    }
    return render(request, "formats/settings.html", context, status=error.status if error else 200)
