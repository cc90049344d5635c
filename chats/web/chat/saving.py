"""Saving a chat's settings: the next revision, a conflict of two people, what is shared with the team."""

from __future__ import annotations

from typing import Any

import orjson
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from chats.web.chat.page import Sheet, answer, chat_of, sheet_of
from chats.web.chat.settings import read_settings
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError, ErrorCode
from neotavern.library import diff, selectors, services
from neotavern.library.kinds import Finding
from neotavern.library.models import Item
from neotavern.library.privacy import SHARED
from neotavern.library.web import comparison
from neotavern.library.web.addresses import number_of
from neotavern.library.web.editors import Draft
from neotavern.library.web.items import tell

NO_NUMBER = -1


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("write")
def save(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Save the settings as the next revision. Reloading the address of a refused save leads to the chat."""
    if request.method != "POST":
        return redirect("chat-page", team, slug)
    item = chat_of(request, slug)
    draft = draft_of(request, item)
    if draft.faults:
        return answer(request, _returned(request, item, draft, None))
    number = number_of(request.POST.get("baseRevision", ""))
    base = NO_NUMBER if number is None else number
    note = request.POST.get("note", "")
    try:
        saved = services.save(request.actor, item=item, document=draft.document, base_revision=base, note=note)
    except AppError as error:
        if error.code is ErrorCode.CONFLICT and "currentRevision" in error.params:
            return answer(request, _conflict(request, slug, draft))
        return answer(request, _returned(request, item, draft, error))
    tell(request, saved)
    return redirect("chat-page", team, slug)


def draft_of(request: PageRequest, item: Item) -> Draft:
    """Return the settings of the form: those that it was made from, with what was changed in it."""
    try:
        base = orjson.loads(request.POST.get("base", ""))
    except orjson.JSONDecodeError:
        base = None
    if not isinstance(base, dict):
        base = selectors.document(item, selectors.revision(item))
    return read_settings(request.POST, base)


def _returned(request: PageRequest, item: Item, draft: Draft, error: AppError | None) -> Sheet:
    """Return the page with everything as typed and each fault at its field."""
    details = [*draft.faults]
    if error is not None:
        details += error.details
    return Sheet(
        item,
        selectors.revision(item),
        draft.document,
        [Finding("error", "", one.message, one.path, one.line, one.column) for one in details],
        texts=draft.texts,
        note=request.POST.get("note", ""),
        refusal=error.message if error else _("Some fields can not be read; nothing was saved."),
        is_unsaved=True,
        status=error.status if error else 422,
    )


def _conflict(request: PageRequest, slug: str, draft: Draft) -> Sheet:
    """Show both settings: someone saved in between. The next save goes on top of theirs."""
    item = chat_of(request, slug)
    theirs = selectors.revision(item)
    changes = diff.documents(selectors.document(item, theirs), draft.document)
    return Sheet(
        item,
        theirs,
        draft.document,
        note=request.POST.get("note", ""),
        theirs=theirs,
        changes=comparison.shown(changes),
        is_unsaved=True,
        status=409,
    )


@require_POST
@team_page("write")
def share(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Share a chat with the team, or take that back (`shared=0`), which only its author may."""
    item = chat_of(request, slug)
    is_shared = request.POST.get("shared") == "1"
    document: dict[str, Any] = selectors.document(item, selectors.revision(item)) | {SHARED: is_shared}
    note = _("shared with the team") if is_shared else _("no longer shared")
    try:
        services.save(request.actor, item=item, document=document, base_revision=item.last_number, note=note)
    except AppError as error:
        sheet = sheet_of(item, refusal=error.message, status=error.status)
        return answer(request, sheet)
    if is_shared:
        messages.success(request, _("“%(name)s” is shared: everybody in the team can read it.") % {"name": item.name})
    else:
        messages.success(request, _("“%(name)s” is yours alone again.") % {"name": item.name})
    return redirect("chat-page", team, slug)
