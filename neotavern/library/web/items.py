"""The page of one object, for every kind that has none of its own: read, edit, make, save, and the conflict of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from neotavern.accounts import permissions
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError, Detail, ErrorCode
from neotavern.library import diff, selectors, services, usage
from neotavern.library.kinds import Finding, Kind
from neotavern.library.models import Checks, Item, Revision
from neotavern.library.services import Saved
from neotavern.library.web import comparison
from neotavern.library.web.addresses import number_of
from neotavern.library.web.collections import frame
from neotavern.library.web.editors import WHOLE, Draft, editor_of, extras_of, has_fields
from neotavern.library.web.styles import styles_of

NO_NUMBER = -1
DO = "do"
"""The field of buttons that change the form and save nothing."""


@dataclass(slots=True)
class Sheet:
    """What the page shows. `theirs` is set when somebody saved in between."""

    document: dict[str, Any]
    item: Item | None = None
    revision: Revision | None = None
    findings: Sequence[Finding] = ()
    texts: dict[str, str] = field(default_factory=dict)
    note: str = ""
    slug: str = ""
    refusal: str = ""
    theirs: Revision | None = None
    changes: list[comparison.Compared] = field(default_factory=list)
    is_unsaved: bool = False
    as_json: bool = False
    status: int = 200


@require_safe
@team_page("read")
def page(request: PageRequest, team: str, kind: Kind, slug: str) -> HttpResponse:
    """Show an object: to edit for who may, to read otherwise; `?revision=3` shows an old one."""
    item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
    revision = selectors.revision(item, number=number_of(request.GET.get("revision", "")))
    findings = [Finding(**finding) for finding in orjson.loads(revision.findings)]
    as_json = _as_json(request)
    document = _document(item, revision, is_whole=as_json or not has_fields(kind))
    return answer(request, kind, Sheet(document, item, revision, findings, as_json=as_json))


def _document(item: Item, revision: Revision, *, is_whole: bool) -> dict[str, Any]:
    """Return what is edited: fields leave out what the kind keeps in rows, which may be thousands."""
    return selectors.former_document(item, revision) if is_whole else selectors.document(item, revision)


def _as_json(request: PageRequest) -> bool:
    """Return whether the page is the one with the whole document as JSON."""
    return request.GET.get("view") == "json" or WHOLE in request.POST


def reshaped(
    request: PageRequest, kind: Kind, draft: Draft, item: Item | None, stored: dict[str, Any]
) -> HttpResponse | None:
    """Return the page after a button that only changes the form, such as one that adds a row; None for a save.

    Text that means nothing stays where it was typed: fields turn into JSON, or back, once it does.
    """
    if DO not in request.POST:
        return None
    sheet = _returned(request, draft, None, item)
    sheet.refusal, sheet.status, sheet.is_unsaved = "", 200, bool(draft.faults) or draft.document != stored
    if not draft.faults and request.POST[DO] in ("json", "fields"):
        sheet.as_json = request.POST[DO] == "json"
    return answer(request, kind, sheet)


def answer(request: PageRequest, kind: Kind, sheet: Sheet) -> HttpResponse:
    """Return the page of a sheet."""
    item, revision = sheet.item, sheet.revision
    as_json = sheet.as_json or not has_fields(kind)
    shown = editor_of(kind, as_json=as_json).show(sheet.document, sheet.findings, sheet.texts)
    context = around(
        request,
        kind,
        item,
        revision,
        sheet=sheet,
        editor=shown.template,
        left=shown.left,
        has_errors=any(finding.severity == "error" for finding in sheet.findings),
        base_json=orjson.dumps(sheet.document).decode(),
        as_json=as_json,
        has_fields=has_fields(kind),
        **shown.context,
    )
    return render(request, "library/item.html", context, status=sheet.status)


def around(
    request: PageRequest, kind: Kind, item: Item | None, revision: Revision | None, **more: Any
) -> dict[str, Any]:
    """Return what every page of one object shows around its content, and `more`."""
    may_write = permissions.may(request.actor, "write")
    is_newest = item is None or revision is None or revision.number == item.last_number
    return frame(
        kind,
        item=item,
        revision=revision,
        labels=dict(item.labels.order_by("name").values_list("name", "number")) if item else {},
        users=usage.used_by(item)[:20] if item and not item.is_builtin else [],
        is_editable=may_write and is_newest and not (item and (item.is_builtin or item.is_archived)),
        is_newest=is_newest,
        may_write=may_write,
        next_number=(item.last_number if item else 0) + 1,
        styles=styles_of(kind),
        **(extras_of(request.actor, kind, item.slug) if item else {}),
        **more,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("write")
def new(request: PageRequest, team: str, kind: Kind) -> HttpResponse:
    """Show the form of a new object, or create what it says."""
    editor = editor_of(kind, as_json=_as_json(request))
    if request.method != "POST":
        return answer(request, kind, Sheet(editor_of(kind).start(), as_json=_as_json(request)))
    slug = request.POST.get("slug", "").strip()
    draft = editor.read(request.POST, _base(request, editor.start()))
    if slug:
        draft.document = {**draft.document, "id": slug}
    if (changed := reshaped(request, kind, draft, None, editor.start())) is not None:
        return changed
    if draft.faults:
        return answer(request, kind, _returned(request, draft, None, None))
    try:
        saved = services.create(request.actor, kind=kind.name, document=draft.document, **_words(request))
    except AppError as error:
        return answer(request, kind, _returned(request, draft, error, None))
    tell(request, saved)
    return redirect("kind-page", team, kind, saved.item.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("write")
def save(request: PageRequest, team: str, kind: Kind, slug: str) -> HttpResponse:
    """Save the form as the next revision. Reloading the address of a refused save leads to the object."""
    if request.method != "POST":
        return redirect("kind-page", team, kind, slug)
    item = selectors.get_item(request.actor, kind=kind.name, slug=slug)
    as_json = _as_json(request)
    stored = _document(item, selectors.revision(item), is_whole=as_json or not has_fields(kind))
    draft = editor_of(kind, as_json=as_json).read(request.POST, _base(request, stored))
    if (changed := reshaped(request, kind, draft, item, stored)) is not None:
        return changed
    if draft.faults:
        return answer(request, kind, _returned(request, draft, None, item))
    number = number_of(request.POST.get("baseRevision", ""))
    base = NO_NUMBER if number is None else number
    try:
        saved = services.save(request.actor, item=item, document=draft.document, base_revision=base, **_words(request))
    except AppError as error:
        if error.code is ErrorCode.CONFLICT and "currentRevision" in error.params:
            return answer(request, kind, _conflict(request, kind, item, draft))
        return answer(request, kind, _returned(request, draft, error, item))
    tell(request, saved)
    return redirect("kind-page", team, kind, slug)


def _words(request: PageRequest) -> dict[str, Any]:
    return {"note": request.POST.get("note", ""), "force": request.POST.get("force") == "1"}


def _base(request: PageRequest, usual: dict[str, Any]) -> dict[str, Any]:
    """Return the document that the form was made from: what nobody touched stays as it was there."""
    try:
        posted = orjson.loads(request.POST.get("base", ""))
    except orjson.JSONDecodeError:
        return usual
    return posted if isinstance(posted, dict) else usual


def _returned(request: PageRequest, draft: Draft, error: AppError | None, item: Item | None) -> Sheet:
    """Return the page with everything as typed and each fault at its field."""
    details = [*draft.faults]
    if error is not None:
        details += error.details or [Detail("", error.message)]
    return Sheet(
        draft.document,
        item,
        selectors.revision(item) if item else None,
        [Finding("error", "", one.message, one.path, one.line, one.column) for one in details],
        texts=draft.texts,
        note=request.POST.get("note", ""),
        slug=request.POST.get("slug", ""),
        refusal=error.message if error else _("Some fields can not be read; nothing was saved."),
        is_unsaved=True,
        as_json=_as_json(request),
        status=error.status if error else 422,
    )


def _conflict(request: PageRequest, kind: Kind, item: Item, draft: Draft) -> Sheet:
    """Show both texts: someone saved in between. The next save goes on top of theirs."""
    item = selectors.get_item(request.actor, kind=kind.name, slug=item.slug)
    as_json = _as_json(request)
    theirs = selectors.revision(item)
    known = _document(item, theirs, is_whole=as_json or not has_fields(kind))
    changes = diff.documents(known, draft.document)
    return Sheet(
        draft.document,
        item,
        theirs,
        note=request.POST.get("note", ""),
        theirs=theirs,
        changes=comparison.shown(changes),
        is_unsaved=True,
        as_json=as_json,
        status=409,
    )


def tell(request: PageRequest, saved: Saved) -> None:
    """Leave the sentence that says what a save did."""
    number = saved.revision.number
    if not saved.is_new:
        messages.info(request, _("Nothing to save: revision %(n)d says the same.") % {"n": number})
    elif saved.revision.checks == Checks.RED:
        text = _(
            "Saved as revision %(n)d, but not published: its checks are red. Mend it, or save with “publish anyway” "
            "and a note."
        )
        messages.warning(request, text % {"n": number})
    else:
        messages.success(request, _("Saved as revision %(n)d.") % {"n": number})
