"""Writing in a chat: messages are added, edited in place, pinned, left out, moved and deleted, by the API's services.

Each answer is a page for a browser without scripts, and for htmx the part of the thread that changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import orjson
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from chats import message_rows
from chats.services import messages as services
from chats.web.chat.page import answer, chat_of, row_context, sheet_of
from chats.web.chat.thread import ROLES, Row, neighbour, row_of, shown_of, thread_of
from formats.web.form import newlines
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.canonical import loads
from neotavern.ground.errors import AppError, ErrorCode, invalid
from neotavern.library.models import Item

CHANGED: Final = "chat-changed"
"""The event that tells the page's script that the prompt is another one now."""

SAY: Final = ("text", "role", "name", "call")
FLAGS: Final = {
    "pin": ("pinned", True),
    "unpin": ("pinned", False),
    "leave": ("excluded", True),
    "take": ("excluded", False),
}


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("read")
def thread(request: PageRequest, team: str, slug: str) -> HttpResponseBase:
    """Show the newest `?shown=` messages."""
    if request.method == "POST":
        return add(request, team, slug)
    if not request.htmx:
        return redirect("chat-page", team, slug)
    return _thread(request, chat_of(request, slug, archived=True), request.GET.get("shown", ""))


@team_page("write")
def add(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Add what was written as the newest message."""
    item = chat_of(request, slug)
    say = {name: newlines(request.POST.get(f"say.{name}", "")) for name in SAY}
    try:
        rows = services.add_messages(request.actor, chat=item, messages=[_said(say)])
    except AppError as error:
        if request.htmx:
            return _event("say-refused", {"message": error.message})
        sheet = sheet_of(item, say=say, fault=error.message, status=error.status, shown=request.POST.get("shown", ""))
        return answer(request, sheet)
    return _done(request, item, str(rows[0].pk), said=_("Added."))


def _said(say: dict[str, str]) -> dict[str, Any]:
    """Return the message that was written. Raises VALIDATION for an empty one and for what no message may be."""
    if not say["text"].strip():
        raise invalid("content", _("Write something first."))
    message: dict[str, Any] = {"role": say["role"] if say["role"] in ROLES else ROLES[0], "content": say["text"]}
    message |= {"name": say["name"].strip()} if say["name"].strip() else {}
    if message["role"] == "tool" and say["call"].strip():
        message["tool_call_id"] = say["call"].strip()
    return message_rows.read_message(message)


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("read")
def message(request: PageRequest, team: str, slug: str, number: str) -> HttpResponseBase:
    """Show one message (`?edit=1`: to edit), or do to it what a form asks for."""
    if request.method == "POST":
        return act(request, team, slug, number)
    edit = request.GET.get("edit", "")
    if not request.htmx:
        query = f"?edit={number}" if edit else ""
        return redirect(reverse("chat-page", args=[team, slug]) + f"{query}#m-{number}")
    item = chat_of(request, slug, archived=True)
    row = row_of(item, number, is_edited=bool(edit))
    return _row(request, item, row) if row is not None else _thread(request, item, "")


@team_page("write")
def act(request: PageRequest, team: str, slug: str, number: str) -> HttpResponse:
    """Do to a message what the pressed button says."""
    item = chat_of(request, slug)
    verb, _sep, other = request.POST.get("do", "").partition(":")
    try:
        return _VERBS.get(verb, _unknown)(request, item, number, other or verb)
    except AppError as error:
        if error.code not in (ErrorCode.NOT_FOUND, ErrorCode.CONFLICT):
            raise
        if request.htmx:
            return _thread(request, item, request.POST.get("shown", ""), said=_("The chat has changed meanwhile."))
        text = _("The chat has changed meanwhile; this is how it is now.")
        return answer(request, sheet_of(item, fault=text, status=error.status, shown=request.POST.get("shown", "")))


def _unknown(request: PageRequest, item: Item, number: str, what: str) -> HttpResponse:
    raise invalid("do", "There is no such action.")


def _move(request: PageRequest, item: Item, number: str, what: str) -> HttpResponse:
    """Move by one (`up`, `down`), or beside the message that something was dropped on (`before:17`)."""
    place: dict[str, str] = {}
    if what in ("up", "down"):
        other = neighbour(item, number, is_up=what == "up")
        place = {} if other is None else {"before" if what == "up" else "after": other}
    else:
        place = {request.POST["do"].partition(":")[0]: what}
    if place:
        services.move_message(request.actor, chat=item, message_id=number, **place)
    row = row_of(item, number)
    said = _("Moved: now message %(n)d.") % {"n": row.number} if row is not None else ""
    return _done(request, item, number, said=said)


def _delete(request: PageRequest, item: Item, number: str, what: str) -> HttpResponse:
    services.delete_message(request.actor, chat=item, message_id=number)
    return _done(request, item, "", said=_("Deleted."))


def _flag(request: PageRequest, item: Item, number: str, what: str) -> HttpResponse:
    row = row_of(item, number)
    if row is None:
        return _delete(request, item, number, what)  # which says that it is gone
    flag, is_on = FLAGS[what]
    changed = {key: value for key, value in row.message.items() if key != flag} | ({flag: True} if is_on else {})
    services.edit_message(request.actor, chat=item, message_id=number, message=changed, was=row.message)
    words = {
        "pin": _("Pinned."),
        "unpin": _("No longer pinned."),
        "leave": _("Left out."),
        "take": _("Taken in again."),
    }
    return _done(request, item, number, row_of(item, number), said=words[what])


def _save(request: PageRequest, item: Item, number: str, what: str) -> HttpResponse:
    """Put what was typed in the place of a message, unless somebody changed it meanwhile: then both are shown."""
    typed = {name: newlines(request.POST.get(name, "")) for name in ("text", "role", "name", "base")}
    row = row_of(item, number)
    if row is None:
        return _faulty(request, item, _gone(number, typed), 404)
    try:
        was = _json(typed["base"]) if typed["base"] else row.message
        services.edit_message(request.actor, chat=item, message_id=number, message=_edited(was, typed), was=was)
    except AppError as error:
        theirs = None
        if error.code is ErrorCode.CONFLICT:
            theirs, typed["base"] = row.source, orjson.dumps(row.message).decode()
        more = {"is_edited": True, "typed": typed, "fault": error.message, "theirs": theirs}
        return _faulty(request, item, row_of(item, number, **more) or _gone(number, typed), error.status)
    return _done(request, item, number, row_of(item, number), said=_("Saved."))


def _add_again(request: PageRequest, item: Item, number: str, what: str) -> HttpResponse:
    """Add what was typed into a message that somebody deleted meanwhile."""
    say = {name: newlines(request.POST.get(name, "")) for name in SAY}
    rows = services.add_messages(request.actor, chat=item, messages=[_said(say)])
    return _done(request, item, str(rows[0].pk), said=_("Added."))


def _edited(was: dict[str, Any], typed: dict[str, str]) -> dict[str, Any]:
    """Return the message that was typed: a text, or JSON for one that is more than that."""
    before = Row("", 0, was)
    if not before.is_plain:
        return message_rows.read_message(_json(typed["text"]))
    text = before.text if typed["text"] == newlines(before.text) else typed["text"]
    name = {"name": typed["name"].strip()} if typed["name"].strip() else {}
    flags = {flag: True for flag in ("pinned", "excluded") if was.get(flag)}
    role = typed["role"] if typed["role"] in ROLES else was["role"]
    return message_rows.read_message({"role": role, "content": text, **name, **flags})


def _json(text: str) -> dict[str, Any]:
    try:
        value = loads(text.encode())
    except AppError as error:
        raise invalid("content", _("This is not JSON: %(why)s.") % {"why": error.message}) from error
    if not isinstance(value, dict):
        raise invalid("content", _("This must be a JSON object, in braces."))
    return value


def _gone(number: str, typed: dict[str, str]) -> Row:
    """Return the row of a message that is not there any more, with what was typed in it."""
    return Row(
        number,
        0,
        {"role": typed["role"] if typed["role"] in ROLES else ROLES[0], "content": typed["text"]},
        is_edited=True,
        typed=typed,
        fault=_("This message was deleted meanwhile. What you typed is kept here."),
    )


_VERBS: Final[dict[str, Callable[[PageRequest, Item, str, str], HttpResponse]]] = {
    "up": _move,
    "down": _move,
    "before": _move,
    "after": _move,
    "delete": _delete,
    "save": _save,
    "again": _add_again,
    **dict.fromkeys(FLAGS, _flag),
}


# answers


def _done(request: PageRequest, item: Item, number: str, row: Row | None = None, *, said: str) -> HttpResponse:
    """Answer what changed: one row, the whole thread, or the page again."""
    shown = request.POST.get("shown", "")
    if not request.htmx:
        place = f"?shown={shown_of(shown)}" if shown else ""
        place += f"#m-{number}" if number else "#thread"
        return redirect(reverse("chat-page", args=[request.actor.team_slug, item.slug]) + place)
    if row is not None:
        return _row(request, item, row, said=said)
    return _thread(request, item, shown, said=said)


def _faulty(request: PageRequest, item: Item, row: Row, status: int) -> HttpResponse:
    """Answer a message that could not be saved, with everything as it was typed."""
    if request.htmx:
        return _row(request, item, row)
    shown = request.POST.get("shown", "")
    if not row.number:  # it is not in the chat any more: what was typed goes into the field below
        say = {"text": row.source, "role": row.role, "name": row.typed.get("name", "")}
        return answer(request, sheet_of(item, say=say, fault=row.fault, status=status, shown=shown))
    return answer(request, sheet_of(item, edited=row, status=status, shown=shown))


def _row(request: PageRequest, item: Item, row: Row, *, said: str = "") -> HttpResponse:
    shown = request.POST.get("shown", "") or request.GET.get("shown", "")
    context = row_context(request, item) | {"row": row, "shown": shown}
    response = render(request, "chats/_message.html", context)
    response["HX-Retarget"], response["HX-Reswap"] = f"#m-{row.id}", "outerHTML"
    return _telling(response, said)


def _thread(request: PageRequest, item: Item, shown: str, *, said: str = "") -> HttpResponse:
    context = row_context(request, item) | {"thread": thread_of(item, shown_of(shown))}
    return _telling(render(request, "chats/_thread.html", context), said)


def _telling(response: HttpResponse, said: str) -> HttpResponse:
    if said:
        response["HX-Trigger"] = json.dumps({CHANGED: {"said": said}})
    return response


def _event(name: str, detail: dict[str, str]) -> HttpResponse:
    """Answer an event alone: nothing on the page is replaced."""
    response = HttpResponse()
    response["HX-Reswap"] = "none"
    response["HX-Trigger"] = json.dumps({name: detail})
    return response
