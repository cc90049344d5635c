"""How a live preview answers its page: the prompt alone, the whole pane, or a page of its own without a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

import orjson
from django.http import HttpResponse
from django.shortcuts import render

from formats.web.field import Section
from formats.web.form import read
from neotavern.accounts.web_access import PageRequest
from neotavern.ground.errors import AppError, Detail, ErrorCode

OUTPUT: Final = "prompt-output"
"""The part of the pane that a key press changes."""


class Templates(NamedTuple):
    """The three forms of one preview."""

    page: str
    pane: str
    output: str


class Failing(Protocol):
    """What a preview found; `error` where the document can not be rendered."""

    error: AppError | None


def pane_answer(
    request: PageRequest, preview: Failing, context: Mapping[str, Any], templates: Templates, report: str
) -> HttpResponse:
    """Return the answer; `report` goes into the HX-Trigger header.

    A document that can not be rendered changes nothing in the pane: the last good prompt stays.
    """
    shown = {**context, "preview": preview}
    error = preview.error
    if not request.htmx:
        return render(request, templates.page, shown, status=error.status if error else 200)
    if request.htmx.target != OUTPUT:
        response = render(request, templates.pane, shown)
        response["HX-Trigger-After-Swap"] = report
        return response
    response = HttpResponse() if error else render(request, templates.output, shown)
    if error:
        response["HX-Reswap"] = "none"
    response["HX-Trigger"] = report
    return response


def posted_document(request: PageRequest, sections: Sequence[Section], within: str) -> dict[str, Any]:
    """Return the document of the form. Raises VALIDATION for fields whose text means nothing, placed below `within`."""
    try:
        base = orjson.loads(request.POST.get("base", "{}"))
    except orjson.JSONDecodeError:
        base = {}
    draft = read(request.POST, base if isinstance(base, dict) else {}, sections)
    if draft.faults:
        faults = [Detail(f"{within}.{one.path}", one.message, one.line, one.column) for one in draft.faults]
        raise AppError(ErrorCode.VALIDATION, faults[0].message, details=faults)
    return draft.document
