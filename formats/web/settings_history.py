"""History of the settings, the team's and one's own: who changed what, and the way back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from formats import selectors as settings
from formats.services.settings import restore_personal, restore_settings
from formats.stored.app_settings import DEFAULTS, TEAM_SLUG
from neotavern.accounts import permissions
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library import diff, selectors
from neotavern.library.models import Item
from neotavern.library.web.comparison import text_of
from neotavern.library.web.rows import moment

MOST = 50


@require_safe
@team_page("read")
def page(request: PageRequest, team: str, whose: str) -> HttpResponse:
    """Show the revisions of the settings, newest first, each with what it changed."""
    item = settings.find_item(request.actor, _slug(request, whose))
    rows, following = _rows(item, request.GET.get("cursor") or None, whose) if item else ([], None)
    context = {
        "section": "settings",
        "whose": whose,
        "item": item,
        "revisions": rows,
        "next_cursor": following,
        "may_restore": whose == "me" or permissions.may_set_defaults(request.actor),
    }
    return render(request, "formats/settings_history.html", context)


def _slug(request: PageRequest, whose: str) -> str:
    if whose == "team":
        return TEAM_SLUG
    if whose == "me":
        return settings.personal_slug(request.actor)
    raise Http404


def _rows(item: Item, cursor: str | None, whose: str) -> tuple[list[dict[str, Any]], str | None]:
    found, following = selectors.list_revisions(item, cursor=cursor, limit=MOST)
    numbers = {one["revision"] for one in found} | {found[-1]["revision"] - 1 if found else 0}
    usual = DEFAULTS if whose == "team" else {}
    documents = {one.number: usual | selectors.document(item, one) for one in item.revisions.filter(number__in=numbers)}
    return [
        one
        | {
            "created": moment(one["createdAt"]),
            "changes": [
                {"path": change.path, "before": _words(change.before), "after": _words(change.after)}
                for change in diff.documents(documents.get(one["revision"] - 1, usual), documents[one["revision"]])
            ],
        }
        for one in found
    ], following


def _words(value: Any) -> str:
    return "–" if value is None else text_of(value)


@require_POST
@team_page("read")
def restore(request: PageRequest, team: str, whose: str, number: int) -> HttpResponse:
    """Make the settings what they were in a revision."""
    if whose == "team":
        restore_settings(request.actor, number)
    elif whose == "me":
        restore_personal(request.actor, number)
    else:
        raise Http404
    messages.success(request, _("The settings are those of revision %(n)d again.") % {"n": number})
    return redirect("settings-revisions", team, whose)
