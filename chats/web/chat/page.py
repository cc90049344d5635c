"""The page of a chat: its messages, its settings in fields, and beside them the prompt that both make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from chats.stored import chat as chat_kind
from chats.web.chat.choices import choices_of
from chats.web.chat.fields import overview
from chats.web.chat.settings import NAMED, show_settings
from chats.web.chat.thread import ROLES, Row, shown_of, thread_of
from formats.web.words import editor_words
from neotavern.accounts import permissions
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library import selectors, usage
from neotavern.library.kinds import Finding
from neotavern.library.models import Item, Revision
from neotavern.library.privacy import is_own
from neotavern.library.web import comparison
from neotavern.library.web.addresses import number_of
from neotavern.library.web.collections import frame
from neotavern.library.web.styles import styles_of

NAME = chat_kind.NAME
MOST_USERS = 20


@dataclass(slots=True)
class Sheet:
    """What the page shows. `theirs` is set when somebody saved the settings in between, `edited` is a message that
    could not be saved, `say` what was written and not added."""

    item: Item
    revision: Revision
    document: dict[str, Any]
    findings: Sequence[Finding] = ()
    texts: dict[str, str] = field(default_factory=dict)
    note: str = ""
    refusal: str = ""
    theirs: Revision | None = None
    changes: list[comparison.Compared] = field(default_factory=list)
    is_unsaved: bool = False
    shown: str = ""
    edit: str = ""
    at: str = ""
    edited: Row | None = None
    say: dict[str, str] = field(default_factory=dict)
    fault: str = ""
    status: int = 200


def chat_of(request: PageRequest, slug: str, *, archived: bool = False) -> Item:
    """Return the chat that an address names, as far as it exists for the caller. Raises NOT_FOUND."""
    return selectors.get_item(request.actor, kind=NAME, slug=slug, archived=archived)


def sheet_of(item: Item, revision: Revision | None = None, **more: Any) -> Sheet:
    """Return the page of a revision, the newest when none is given."""
    shown = selectors.revision(item) if revision is None else revision
    return Sheet(item, shown, selectors.document(item, shown), **more)


@require_safe
@team_page("read")
def page(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Show a chat: to write in for who may, to read otherwise; `?revision=3` shows its settings of then."""
    item = chat_of(request, slug, archived=True)
    revision = selectors.revision(item, number=number_of(request.GET.get("revision", "")))
    asked = {name: request.GET.get(name, "") for name in ("shown", "edit", "at")}
    return answer(request, sheet_of(item, revision, **asked))


def answer(request: PageRequest, sheet: Sheet) -> HttpResponse:
    """Return the page of a sheet."""
    item, revision = sheet.item, sheet.revision
    may_write = permissions.may(request.actor, "write")
    is_newest = revision.number == item.last_number
    rows = row_context(request, item)
    choices = choices_of(request.actor, NAMED)
    parts, left = show_settings(sheet.document, choices, sheet.findings, sheet.texts)
    thread = thread_of(item, shown_of(sheet.shown), edited=sheet.edited, edit=sheet.edit, at=sheet.at)
    context = frame(
        chat_kind.KIND,
        sheet=sheet,
        revision=revision,
        labels=dict(item.labels.order_by("name").values_list("name", "number")),
        users=usage.used_by(item)[:MOST_USERS],
        parts=parts,
        overview=overview(sheet.document, choices),
        words=_words(),
        left=left,
        has_errors=any(finding.severity == "error" for finding in sheet.findings),
        base_json=orjson.dumps(sheet.document).decode(),
        is_editable=rows["may_talk"] and is_newest,
        may_write=may_write,
        is_newest=is_newest,
        is_own=is_own(request.actor, item),
        is_shared=not item.is_private,
        next_number=item.last_number + 1,
        styles=styles_of(chat_kind.KIND),
        thread=thread,
        **rows,
    )
    return render(request, "chats/chat.html", context, status=sheet.status)


def _words() -> dict[str, Any]:
    """Return the words of the page's script: it has no templates, and what is held is the settings' affair."""
    texts = editor_words()["texts"] | {"held": _("This can not be rendered: the prompt shown is the last good one.")}
    return {"variables": {}, "helpers": [], "texts": texts}


def row_context(request: PageRequest, item: Item) -> dict[str, Any]:
    """Return what the templates of messages need; addresses are made once, not for each row."""
    place = [request.actor.team_slug, item.slug]
    urls = {"chat_url": reverse("chat-page", args=place), "messages_url": reverse("chat-messages", args=place)}
    may_talk = permissions.may(request.actor, "write") and not item.is_archived
    return {"item": item, "roles": ROLES, "may_talk": may_talk, **urls}
