"""One entry of a lorebook in fields: read, made, saved, duplicated, removed, and the conflict of two people."""

from __future__ import annotations

from typing import Any

import orjson
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from chats.entry_reading import current_entry, shown
from chats.lore_rows import rows_at
from chats.models import LoreEntryRow
from chats.services import lorebooks
from chats.services.lorebooks import Changed, Edits
from chats.stored.lorebook import KIND
from chats.web.books.entries import tell
from chats.web.books.fields import ENTRY_EDITOR, NEW
from chats.web.books.frame import book_of, context
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError, Detail, ErrorCode
from neotavern.library import diff, selectors
from neotavern.library.kinds import Finding
from neotavern.library.models import Item, Revision
from neotavern.library.services import Base
from neotavern.library.web import comparison
from neotavern.library.web.addresses import number_of
from neotavern.library.web.editors import WHOLE, Draft, JsonEditor

NO_NUMBER = -1
UID = "uid"


@require_safe
@team_page("read")
def page(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Show an entry, named by `?uid=`; without one a new entry."""
    book, revision = book_of(request, slug)
    if not request.GET.get(UID):
        return _answer(request, book, revision, None, dict(NEW))
    row = current_entry(book, request.GET[UID], revision.number)
    return _answer(request, book, revision, row, _document(row))


def _document(row: LoreEntryRow) -> dict[str, Any]:
    return {key: value for key, value in shown(row).items() if key != UID}


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("write")
def save(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Do what the button says: save, duplicate or remove the entry, or change the form. Reloading leads back."""
    if request.method != "POST":
        return redirect("kind-page", team, "lorebooks", slug)
    book, revision = book_of(request, slug)
    uid = request.POST.get(UID, "")
    row = current_entry(book, uid) if uid else None
    editor: Any = JsonEditor(KIND) if WHOLE in request.POST else ENTRY_EDITOR
    draft = editor.read(request.POST, _base(request, _document(row) if row else dict(NEW)))
    if "do" in request.POST and request.POST["do"] in ("json", "fields"):
        as_json = (request.POST["do"] == "json") != bool(draft.faults)
        stored = _document(row) if row else NEW
        is_unsaved = bool(draft.faults) or draft.document != stored
        return _answer(
            request, book, revision, row, draft.document, draft=draft, as_json=as_json, is_unsaved=is_unsaved
        )
    if draft.faults:
        return _answer(request, book, revision, row, draft.document, draft=draft, status=422)
    try:
        changed = _write(request, book, uid, draft)
    except AppError as error:
        return _refused(request, book, row, draft, error)
    return _onward(request, team, slug, changed)


def _base(request: PageRequest, usual: dict[str, Any]) -> dict[str, Any]:
    try:
        posted = orjson.loads(request.POST.get("base", ""))
    except orjson.JSONDecodeError:
        return usual
    return posted if isinstance(posted, dict) else usual


def _write(request: PageRequest, book: Item, uid: str, draft: Draft) -> Changed:
    action, note = request.POST.get("action", "save"), request.POST.get("note", "")
    number = number_of(request.POST.get("baseRevision", ""))
    base = Base(NO_NUMBER if number is None else number)
    if action == "delete" and uid:
        return lorebooks.remove_entry(request.actor, book=book, uid=uid, base=base, note=note)
    entry = lorebooks.read_entry(draft.document)
    if not uid or action == "copy":
        return lorebooks.change_entries(request.actor, book=book, edits=Edits(save=[entry], adds=True), note=note)
    return lorebooks.save_entry(request.actor, book=book, uid=uid, entry=entry, base=base, note=note)


def _onward(request: PageRequest, team: str, slug: str, changed: Changed) -> HttpResponse:
    """Go to the saved entry; to an empty one after *save and next new*, to the list after a removal."""
    action = request.POST.get("action", "save")
    if action == "delete":
        messages.success(request, _("The entry is removed; older revisions keep it."))
        return redirect("kind-page", team, "lorebooks", slug)
    tell(request, changed)
    address = reverse("book-entry", args=[team, slug])
    return redirect(address if action == "another" else f"{address}?{urlencode({UID: changed.rows[0].uid})}")


def _refused(request: PageRequest, book: Item, row: LoreEntryRow | None, draft: Draft, error: AppError) -> HttpResponse:
    """Show what stops the save at its field; after somebody else's change both texts, and the next save goes on top."""
    if error.code is ErrorCode.NOT_FOUND:
        raise error
    book = selectors.get_item(request.actor, kind=KIND.name, slug=book.slug)
    revision = selectors.revision(book)
    if error.code is ErrorCode.CONFLICT and row is not None:
        theirs = current_entry(book, row.uid)
        changes = comparison.shown(diff.documents(_document(theirs), draft.document))
        return _answer(request, book, revision, theirs, draft.document, draft=draft, changes=changes, status=409)
    draft.faults = list(error.details) or [Detail("", error.message)]
    return _answer(
        request, book, revision, row, draft.document, draft=draft, refusal=error.message, status=error.status
    )


def _answer(
    request: PageRequest,
    book: Item,
    revision: Revision,
    row: LoreEntryRow | None,
    document: dict[str, Any],
    *,
    draft: Draft | None = None,
    as_json: bool | None = None,
    changes: Any = None,
    refusal: str = "",
    is_unsaved: bool = True,
    status: int = 200,
) -> HttpResponse:
    if as_json is None:
        as_json = WHOLE in request.POST or request.GET.get("view") == "json"
    editor: Any = JsonEditor(KIND) if as_json else ENTRY_EDITOR
    faults = draft.faults if draft is not None else []
    findings = [Finding("error", "", one.message, one.path, one.line, one.column) for one in faults]
    part = editor.show(document, findings, draft.texts if draft is not None else {})
    more = context(
        request,
        book,
        revision,
        "entries",
        row=row,
        editor=part.template,
        left=part.left,
        base_json=orjson.dumps(document).decode(),
        has_errors=bool(findings),
        has_fields=True,
        as_json=as_json,
        is_unsaved=draft is not None and is_unsaved,
        changes=changes,
        refusal=refusal or (_("Some fields can not be read; nothing was saved.") if status == 422 else ""),
        note=request.POST.get("note", ""),
        neighbours=_neighbours(book, revision, row),
        **part.context,
    )
    return render(request, "chats/books/entry.html", more, status=status)


def _neighbours(book: Item, revision: Revision, row: LoreEntryRow | None) -> dict[str, str | None]:
    """Return the uids before and behind an entry in the book's order."""
    if row is None:
        return {}
    rows = rows_at(book.pk, revision.number)
    before = rows.filter(position__lt=row.position).order_by("-position", "-id").values_list("uid", flat=True).first()
    behind = rows.filter(position__gt=row.position).order_by("position", "id").values_list("uid", flat=True).first()
    return {"before": before, "behind": behind}
