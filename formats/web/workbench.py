"""Reading a format: its page, an old revision, the list of revisions, the file."""

from __future__ import annotations

import orjson
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from formats.stored.instruct_format import NAME
from formats.web.page import Bench, answer
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library import kinds, selectors
from neotavern.library.kinds import Finding
from neotavern.library.models import Revision
from neotavern.library.web.rows import moment

MOST_DIGITS = 9


@require_safe
@team_page("read")
def page(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Show a format: to edit for who may, to read otherwise; `?revision=3` shows an old one."""
    item = selectors.get_item(request.actor, kind=NAME, slug=slug, archived=True)
    revision = selectors.revision(item, number=_number(request.GET.get("revision", "")))
    bench = Bench(selectors.document(item, revision), item, revision, stored_findings(revision))
    return answer(request, bench)


def _number(text: str) -> int | None:
    """Return a revision number, None for the newest one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


def stored_findings(revision: Revision) -> list[Finding]:
    """Return what the checks said when the revision was saved."""
    return [Finding(**finding) for finding in orjson.loads(revision.findings)]


@require_safe
@team_page("read")
def revisions(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Show the revisions of a format, newest first."""
    item = selectors.get_item(request.actor, kind=NAME, slug=slug, archived=True)
    found, following = selectors.list_revisions(item, cursor=request.GET.get("cursor") or None)
    context = {
        "section": "formats",
        "item": item,
        "revisions": [one | {"created": moment(one["createdAt"])} for one in found],
        "labels": _labels_by_number(selectors.stored(item, selectors.revision(item))["labels"]),
        "next_cursor": following,
    }
    return render(request, "formats/revisions.html", context)


def _labels_by_number(labels: dict[str, int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for name, number in sorted(labels.items()):
        found.setdefault(number, []).append(name)
    return found


@require_safe
@team_page("read")
def export(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Send the bare document as a file."""
    item = selectors.get_item(request.actor, kind=NAME, slug=slug, archived=True)
    revision = selectors.revision(item, number=_number(request.GET.get("revision", "")))
    file = kinds.get(NAME).exporters["neotavern"](selectors.document(item, revision), None)
    response = HttpResponse(file.body, content_type=file.content_type)
    response["Content-Disposition"] = f'attachment; filename="{item.slug}.{file.extension}"'
    return response
