"""Saving from the form: a new format, the next revision, a clone. What can not be saved comes back as it was typed."""

from __future__ import annotations

from typing import Any

import orjson
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from formats.stored.instruct_format import NAME
from formats.web.compare import Theirs, compare
from formats.web.form import Draft, read
from formats.web.page import Bench, answer, refused
from formats.web.start import start_document
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError, ErrorCode
from neotavern.library import selectors, services
from neotavern.library.models import Item
from neotavern.library.web.items import tell

NO_NUMBER = -1


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("write")
def save(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Save the form as the next revision of a format. Reloading the address of a refused save leads to the format."""
    if request.method != "POST":
        return redirect("item-page", team, slug)
    item = selectors.get_item(request.actor, kind=NAME, slug=slug)
    newest = selectors.document(item, selectors.revision(item))
    draft = read(request.POST, _base(request, newest))
    if draft.faults:
        return answer(request, _returned(request, draft, None, item=item))
    try:
        saved = services.save(
            request.actor,
            item=item,
            document=draft.document,
            base_revision=_posted_number(request),
            note=request.POST.get("note", ""),
            force=request.POST.get("force") == "1",
        )
    except AppError as error:
        if error.code is ErrorCode.CONFLICT and "currentRevision" in error.params:
            return _conflict(request, item, draft)
        return answer(request, _returned(request, draft, error, item=item))
    tell(request, saved)
    return redirect("item-page", team, slug)


def _base(request: PageRequest, newest: dict[str, Any]) -> dict[str, Any]:
    """Return the document that the form was made from: what nobody touched stays as it was there."""
    try:
        posted = orjson.loads(request.POST.get("base", ""))
    except orjson.JSONDecodeError:
        return newest
    return posted if isinstance(posted, dict) else newest


def _posted_number(request: PageRequest) -> int:
    text = request.POST.get("baseRevision", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else NO_NUMBER


def _returned(request: PageRequest, draft: Draft, error: AppError | None, *, item: Item | None) -> Bench:
    """Return the page with everything as typed and each fault at its field."""
    return Bench(
        draft.document,
        item,
        selectors.revision(item) if item else None,
        refused(draft, error),
        texts=draft.texts,
        note=request.POST.get("note", ""),
        slug=request.POST.get("slug", ""),
        refusal=error.message if error else _("Some fields can not be read; nothing was saved."),
        is_unsaved=True,
        status=error.status if error else 422,
    )


def _conflict(request: PageRequest, item: Item, draft: Draft) -> HttpResponse:
    """Show both texts: someone saved in between. The next save goes on top of theirs."""
    item = selectors.get_item(request.actor, kind=NAME, slug=item.slug)
    revision = selectors.revision(item)
    theirs = selectors.document(item, revision)
    bench = Bench(
        draft.document,
        item,
        revision,
        note=request.POST.get("note", ""),
        theirs=Theirs(revision, compare(draft.document, theirs)),
        is_unsaved=True,
        status=409,
    )
    return answer(request, bench)


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("write")
def new(request: PageRequest, team: str) -> HttpResponse:
    """Show the form of a new format, or create what it says."""
    if request.method != "POST":
        document = start_document(request.actor, request.GET.get("from", ""))
        return answer(request, Bench(document))
    slug = request.POST.get("slug", "").strip()
    draft = read(request.POST, _base(request, start_document(request.actor, "")))
    draft.document["id"] = slug
    if draft.faults:
        return answer(request, _returned(request, draft, None, item=None))
    try:
        saved = services.create(
            request.actor,
            kind=NAME,
            document=draft.document,
            note=request.POST.get("note", ""),
            force=request.POST.get("force") == "1",
        )
    except AppError as error:
        return answer(request, _returned(request, draft, error, item=None))
    tell(request, saved)
    return redirect("item-page", team, saved.item.slug)
