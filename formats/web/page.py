"""The workbench page: one template for a format that is shown, edited, new, refused or in conflict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
from django.http import HttpResponse
from django.shortcuts import render

from formats.stored import instruct_format
from formats.web.activation import buttons
from formats.web.form import Draft
from formats.web.sections.about import ABOUT
from formats.web.shown import Notes, show
from formats.web.start import start_choices
from formats.web.words import editor_words
from neotavern.accounts import permissions
from neotavern.accounts.web_access import PageRequest
from neotavern.ground.errors import AppError, Detail
from neotavern.library import selectors, usage
from neotavern.library.kinds import Finding
from neotavern.library.models import Item, Revision
from neotavern.library.web.collections import frame
from neotavern.library.web.styles import styles_of

OPEN_FIRST = ("roles", "frame", "stops")
MOST_USERS = 20


@dataclass(slots=True)
class Bench:
    """What the page shows. `base` is the revision that a save is compared with, None for a new format."""

    document: dict[str, Any]
    item: Item | None = None
    revision: Revision | None = None
    findings: Sequence[Finding] = ()
    texts: dict[str, str] = field(default_factory=dict)
    note: str = ""
    slug: str = ""
    refusal: str = ""
    theirs: Any = None
    is_unsaved: bool = False
    status: int = 200

    @property
    def base(self) -> int | None:
        """Number of the newest revision."""
        return self.item.last_number if self.item else None


def answer(request: PageRequest, bench: Bench) -> HttpResponse:
    """Return the page."""
    item, revision = bench.item, bench.revision
    may_write = permissions.may(request.actor, "write")
    is_newest = item is None or revision is None or revision.number == item.last_number
    is_editable = may_write and is_newest and not (item and (item.is_builtin or item.is_archived))
    notes = Notes.of(bench.findings)
    sections = show(bench.document, notes, texts=bench.texts, opened=OPEN_FIRST if item else (*OPEN_FIRST, ABOUT.id))
    if item is None:
        sections.sort(key=lambda section: section.id != ABOUT.id)  # a new format is given its name first
    context = frame(
        instruct_format.KIND,
        defaults=buttons(request.actor, instruct_format.KIND, item.slug) if item else None,
        users=usage.used_by(item)[:MOST_USERS] if item and not item.is_builtin else [],
        bench=bench,
        item=item,
        revision=revision,
        labels=selectors.stored(item, revision)["labels"] if item and revision else {},
        sections=sections,
        left=notes.left,
        has_errors=any(finding.severity == "error" for finding in bench.findings),
        base_json=orjson.dumps(bench.document).decode(),
        is_editable=is_editable,
        is_newest=is_newest,
        may_write=may_write,
        next_number=(item.last_number if item else 0) + 1,
        words=editor_words(),
        styles=styles_of(instruct_format.KIND),
        starts=start_choices(request.actor) if item is None else [],
    )
    return render(request, "formats/workbench.html", context, status=bench.status)


def refused(draft: Draft, error: AppError | None) -> list[Finding]:
    """Return what stops a draft: fields that mean nothing, and what the service said."""
    details = [*draft.faults]
    if error is not None:
        details += error.details or [Detail("", error.message)]
    return [Finding("error", "", one.message, one.path, one.line, one.column) for one in details]
