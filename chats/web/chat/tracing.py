"""The trace: stage by stage how a prompt came to be; why a line is in it, and why something is not."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from chats.web.chat.asking import ask
from chats.web.chat.page import NAME, chat_of
from chats.web.chat.pane import errors_of, preview_of
from chats.web.chat.prompt import Links, ShownPrompt, shown_prompt
from chats.web.chat.stages import stages_of
from chats.web.places import report_error
from chats.web.preview import preview_of as preview_of_format
from formats.kinds import INSTRUCT_FORMAT
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library import kinds
from neotavern.library.web.collections import frame

ANSWERS: Final = "why-not"
WHY: Final = "why"
STAGE: Final = "lore"
"""The stage that is open first, where it did anything."""

_OWN: Final = frozenset({"csrfmiddlewaretoken", WHY})


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("render")
def page(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Show the trace of a chat's prompt; a form gives settings that are not saved and what is being written.

    `why` asks why what it names is not in the prompt; to htmx the answers alone are sent.
    """
    item = chat_of(request, slug, archived=True)
    preview = preview_of(request, item, whole=True)
    links = Links(team, slug, preview.document)
    text = (request.POST.get(WHY) or request.GET.get(WHY) or "").strip()
    context = frame(
        kinds.get(NAME),
        item=item,
        preview=preview,
        back=reverse("chat-page", args=[team, slug]),
        here=reverse("chat-trace", args=[team, slug]),
        errors=errors_of(preview.error) if preview.error else [],
        carried=carried(request),
        question=ask(preview.shown, text, links) if preview.shown else None,
        **(trace_context(preview.shown, links) if preview.shown else {}),
    )
    status = preview.error.status if preview.error else 200
    if request.htmx and request.htmx.target == ANSWERS:
        return render(request, "chats/_why_not.html", context)
    return render(request, "chats/trace.html", context, status=status)


@require_POST
@team_page("render")
def format_page(request: PageRequest, team: str) -> HttpResponse:
    """Show the trace of a conversation in a format that is not saved: the preview of its page, stage by stage."""
    preview = preview_of_format(request)
    links = Links(team)
    shown = shown_prompt(preview.answer, links, whole=True) if preview.answer is not None else None
    context = frame(
        kinds.get(INSTRUCT_FORMAT),
        preview=preview,
        name=preview.document.get("name", ""),
        errors=report_error(preview.error) if preview.error else [],
        **(trace_context(shown, links) if shown else {}),
    )
    return render(request, "chats/trace.html", context, status=preview.error.status if preview.error else 200)


def trace_context(shown: ShownPrompt, links: Links) -> dict[str, Any]:
    """Return what the template of a trace needs."""
    stages = stages_of(shown.answer.rendered, shown.reasons, links)
    busy = [one.id for one in stages if not one.is_idle]
    return {"shown": shown, "stages": stages, "opened": STAGE if STAGE in busy else (busy or ["fit"])[-1]}


def carried(request: PageRequest) -> list[tuple[str, str]]:
    """Return what the page was sent and sends again with the next question."""
    return [(name, text) for name, text in request.POST.items() if name not in _OWN and isinstance(text, str)]
