"""The import page: files or pasted JSON in, one line of report for each."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.canonical import loads
from neotavern.ground.errors import AppError, invalid
from neotavern.library import services
from neotavern.library.services import Upload


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("write")
def page(request: PageRequest, team: str) -> HttpResponse:
    """Show the form; with a file or a text, import it and show what became of it."""
    context: dict[str, Any] = {"section": "formats", "text": request.POST.get("text", "")}
    if request.method != "POST":
        return render(request, "formats/import.html", context)
    is_trial = request.POST.get("trial") == "1"
    try:
        context |= {"outcomes": _outcomes(request, is_trial=is_trial), "is_trial": is_trial}
    except AppError as error:
        context |= {"error": error}
        return render(request, "formats/import.html", context, status=error.status)
    return render(request, "formats/import.html", context)


def _outcomes(request: PageRequest, *, is_trial: bool) -> list[Any]:
    """Import everything that the form brought."""
    uploads: list[Upload] = []
    for file in request.FILES.getlist("file"):
        uploads += _documents(file.name or _("file"), file.read())
    text = request.POST.get("text", "").strip()
    if text:
        uploads += _documents(_("pasted text"), text.encode())
    if not uploads:
        raise invalid("", _("Choose a file or paste a document."))
    return services.import_documents(request.actor, uploads=uploads, dry_run=is_trial)


def _documents(name: str, raw: bytes) -> list[Upload]:
    """Return what a file holds: one document, or each of a list; what can not be read is refused by itself."""
    try:
        value = loads(raw)
    except AppError as error:
        return [Upload(name, error=error)]
    if not isinstance(value, list):
        return [Upload(name, value)]
    return [Upload(f"{name} [{index}]", document) for index, document in enumerate(value)]
