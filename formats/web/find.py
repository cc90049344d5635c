"""The page that finds a format from what a person has: a model's name, or its chat template."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.http import require_http_methods

from formats.builtin import builtin
from formats.services.finding import Match, find_formats
from formats.stored import instruct_format
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError

HOW = {
    "hash": lazy("this very template is known to be its own"),
    "name": lazy("the model's name is one of its names"),
    "probe": lazy("it was tried on the same conversations"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One format that fits, and how well."""

    slug: str
    name: str
    how: Promise
    differs: str


@require_http_methods(["GET", "POST"])
@team_page("read")
def page(request: PageRequest, team: str) -> HttpResponse:
    """Show the form; a POST answers with the formats that fit, best first. Nothing is stored."""
    model, template = request.POST.get("model", "").strip(), request.POST.get("template", "")
    context = {"kind": instruct_format.KIND, "model": model, "template": template, "is_asked": request.method == "POST"}
    if request.method == "GET":
        return render(request, "formats/find.html", context)
    try:
        rows = [_row(match) for match in find_formats(template, model)]
    except AppError as error:
        detail = error.details[0] if error.details else None
        found = {"error": error, "detail": detail, "is_model": detail is not None and detail.path == "model"}
        return render(request, "formats/find.html", context | found, status=error.status)
    return render(request, "formats/find.html", context | {"rows": rows})


def _row(match: Match) -> Row:
    return Row(match.slug, builtin(match.slug).name, HOW[match.how], match.differs or "")
