"""The rules of an interceptor tried on a few messages, as they are in the form. Nothing is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chats.documents import DocumentError
from chats.pipeline.interceptors import InterceptorError, read_interceptor
from chats.web.conversation import read_conversation
from chats.web.editors.interceptor import INTERCEPTOR_SECTIONS
from formats.web.editor import FieldEditor
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError
from neotavern.library.web.editors import WHOLE

EDITOR = FieldEditor("interceptor", INTERCEPTOR_SECTIONS)
MOST_TEXT = 100_000


@dataclass(frozen=True, slots=True)
class Line:
    """A message after the rules; `was` is its text before, None for one that they made."""

    role: str
    text: str
    was: str | None
    is_gone: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether the rules changed the text."""
        return self.was is not None and self.was != self.text and not self.is_gone


@require_POST
@team_page("read")
def page(request: PageRequest, team: str) -> HttpResponse:
    """Answer with the part of the page that shows what the rules make of the messages."""
    try:
        lines = _tried(_document(request), request.POST.get("try", "")[:MOST_TEXT])
    except (AppError, InterceptorError, DocumentError) as error:
        text = error.message if isinstance(error, AppError) else str(error)
        return render(request, "chats/_rules_tried.html", {"trouble": text})
    return render(request, "chats/_rules_tried.html", {"lines": lines, "is_tried": True})


def _document(request: PageRequest) -> dict[str, Any]:
    """Return the interceptor as it is in the form, of fields or of JSON."""
    text = request.POST.get(WHOLE) or request.POST.get("base") or "{}"
    try:
        base = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise InterceptorError(_("The JSON of the form can not be read.")) from error
    base = base if isinstance(base, dict) else {}
    if WHOLE in request.POST:
        return base
    draft = EDITOR.read(request.POST, base)
    if draft.faults:
        raise InterceptorError(draft.faults[0].message)
    return draft.document


def _tried(document: dict[str, Any], text: str) -> list[Line]:
    messages: list[dict[str, Any]] = [
        {"key": at, "role": str(one.get("role") or "user"), "content": str(one.get("content") or "")}
        | ({"origin": str(one["origin"])} if one.get("origin") else {})
        for at, one in enumerate(read_conversation(text))
    ]
    rules = read_interceptor({**document, "name": document.get("name") or "-", "enabled": True})
    before = {one["key"]: one["content"] for one in messages}
    after = [dict(one) for one in messages] if rules is None else rules.intercept([dict(one) for one in messages])
    kept = {one.get("key") for one in after}
    lines = [Line(str(one["role"]), str(one.get("content") or ""), before.get(one.get("key"))) for one in after]
    gone = [
        Line(str(one["role"]), str(one["content"]), None, is_gone=True) for one in messages if one["key"] not in kept
    ]
    return [*lines, *gone]
