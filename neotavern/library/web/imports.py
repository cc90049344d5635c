"""Import: files or pasted JSON in, one line of report for each; past imports, and taking one back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from neotavern.accounts import permissions
from neotavern.accounts.actor import Actor
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError, invalid, not_found
from neotavern.library import kinds, services
from neotavern.library.listing import list_imports
from neotavern.library.models import ImportBatch, Revision
from neotavern.library.services import Outcome, Upload
from neotavern.library.uploaded import of_file
from neotavern.library.web.collections import singular_of
from neotavern.library.web.rows import moment


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("write")
def page(request: PageRequest, team: str) -> HttpResponse:
    """Show the form; with a file or a text, import it and show what became of it."""
    context: dict[str, Any] = {"text": request.POST.get("text", "")}
    if request.method != "POST":
        return render(request, "library/import.html", context)
    is_trial = request.POST.get("trial") == "1"
    part = "library/_import_report.html" if request.htmx else "library/import.html"
    try:
        outcomes = _outcomes(request, is_trial=is_trial)
    except AppError as error:
        status = 200 if request.htmx else error.status  # htmx shows no answer with another status
        return render(request, part, context | {"error": error}, status=status)
    context |= {"outcomes": [shown(one.wire()) for one in outcomes], "is_trial": is_trial}
    context["ready"] = sum(one.action in ("created", "newRevision") for one in outcomes)
    if not is_trial:
        context["batch"] = _batch_of(request.actor, outcomes)
    return render(request, part, context)


def shown(outcome: dict[str, Any]) -> dict[str, Any]:
    """Return one line of the report with the collection that its object is in."""
    kind = next((kind for kind in kinds.kinds() if kind.name == outcome.get("kind")), None)
    words = singular_of(kind) if kind is not None else ""
    return outcome | {"collection": kind.plural_path if kind is not None else None, "kind_words": words}


def _outcomes(request: PageRequest, *, is_trial: bool) -> list[Outcome]:
    """Import everything that the form brought."""
    uploads: list[Upload] = []
    for file in request.FILES.getlist("file"):
        uploads += _read(file.name or _("file"), file.read())
    text = request.POST.get("text", "").strip()
    if text:
        uploads += _read(_("pasted text"), text.encode())
    if not uploads:
        raise invalid("", _("Choose a file or paste a document."))
    return services.import_documents(request.actor, uploads=uploads, dry_run=is_trial)


def _read(name: str, raw: bytes) -> list[Upload]:
    """Return what a file holds: one document, or several; what can not be read is refused by itself."""
    try:
        return of_file(name, raw)
    except AppError as error:
        return [Upload(name, error=error)]


def _batch_of(actor: Actor, outcomes: Sequence[Outcome]) -> ImportBatch | None:
    """Return the batch that wrote any of these, None when all were unchanged or refused."""
    for one in outcomes:
        if one.action in ("created", "newRevision") and one.revision is not None:
            return ImportBatch.objects.filter(
                team_id=actor.team_id,
                pk__in=Revision.objects.filter(
                    item__team_id=actor.team_id, item__kind=one.kind, item__slug=one.slug, number=one.revision
                ).values("batch"),
            ).first()
    return None


@require_safe
@team_page("read")
def past(request: PageRequest, team: str) -> HttpResponse:
    """Show the team's imports, newest first."""
    found, following = list_imports(request.actor, cursor=request.GET.get("cursor") or None)
    rows = [one | {"created": moment(one["createdAt"])} for one in found]
    return render(request, "library/imports.html", {"imports": rows, "next_cursor": following})


@require_safe
@team_page("read")
def batch(request: PageRequest, team: str, number: int) -> HttpResponse:
    """Show what one import did."""
    found = _batch(request.actor, number)
    outcomes = [shown(one) for one in orjson.loads(found.report)]
    return render(request, "library/import_batch.html", {"batch": found, "outcomes": outcomes})


def _batch(actor: Actor, number: int) -> ImportBatch:
    found = ImportBatch.objects.filter(team_id=actor.team_id, pk=min(number, 2**31)).first()
    if found is None:
        raise not_found("This import", id=number)
    return found


@require_POST
@team_page("administer")
def undo(request: PageRequest, team: str, number: int) -> HttpResponse:
    """Take an import back and show what became of each object."""
    permissions.require(request.actor, "administer")
    undone = services.undo_import(request.actor, batch_id=number)
    kept = [one for one in undone if one.action == "kept"]
    if not kept:
        messages.success(request, _("The import is undone."))
        return redirect("import-batch", team, number)
    found = _batch(request.actor, number)
    context = {
        "batch": found,
        "outcomes": [shown(one) for one in orjson.loads(found.report)],
        "undone": [shown(one.wire()) for one in undone],
    }
    return render(request, "library/import_batch.html", context)
