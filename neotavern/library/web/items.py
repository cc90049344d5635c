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
from neotavern.library.web.editors import Draft, editor_of, extras_of

NO_NUMBER = -1


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
    status: int = 200


@require_safe
@team_page("read")
def page(request: PageRequest, team: str, kind: Kind, slug: str) -> HttpResponse:
    """Show an object: to edit for who may, to read otherwise; `?revision=3` shows an old one."""
    item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
    revision = selectors.revision(item, number=number_of(request.GET.get("revision", "")))
    findings = [Finding(**finding) for finding in orjson.loads(revision.findings)]
    return answer(request, kind, Sheet(selectors.former_document(item, revision), item, revision, findings))


def answer(request: PageRequest, kind: Kind, sheet: Sheet) -> HttpResponse:
    """Return the page of a sheet."""
    item, revision = sheet.item, sheet.revision
    may_write = permissions.may(request.actor, "write")
    is_newest = item is None or revision is None or revision.number == item.last_number
    shown = editor_of(kind).show(sheet.document, sheet.findings, sheet.texts)
    context = frame(
        kind,
        sheet=sheet,
        item=item,
        revision=revision,
        labels=dict(item.labels.order_by("name").values_list("name", "number")) if item else {},
        users=usage.used_by(item)[:20] if item and not item.is_builtin else [],
        editor=shown.template,
        left=shown.left,
        has_errors=any(finding.severity == "error" for finding in sheet.findings),
        base_json=orjson.dumps(sheet.document).decode(),
        is_editable=may_write and is_newest and not (item and (item.is_builtin or item.is_archived)),
        is_newest=is_newest,
        may_write=may_write,
        next_number=(item.last_number if item else 0) + 1,
        styles=sorted(kind.exporters),
        **shown.context,
        **(extras_of(request.actor, kind, item.slug) if item else {}),
    )
    return render(request, "library/item.html", context, status=sheet.status)


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("write")
def new(request: PageRequest, team: str, kind: Kind) -> HttpResponse:
    """Show the form of a new object, or create what it says."""
    editor = editor_of(kind)
    if request.method != "POST":
        return answer(request, kind, Sheet(editor.start()))
    slug = request.POST.get("slug", "").strip()
    draft = editor.read(request.POST, _base(request, editor.start()))
    if slug:
        draft.document = {**draft.document, "id": slug}
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
    draft = editor_of(kind).read(
        request.POST, _base(request, selectors.former_document(item, selectors.revision(item)))
    )
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
        status=error.status if error else 422,
    )


def _conflict(request: PageRequest, kind: Kind, item: Item, draft: Draft) -> Sheet:
    """Show both texts: someone saved in between. The next save goes on top of theirs."""
    item = selectors.get_item(request.actor, kind=kind.name, slug=item.slug)
    theirs = selectors.revision(item)
    changes = diff.documents(selectors.former_document(item, theirs), draft.document)
    return Sheet(
        draft.document,
        item,
        theirs,
        note=request.POST.get("note", ""),
        theirs=theirs,
        changes=comparison.shown(changes),
        is_unsaved=True,
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
