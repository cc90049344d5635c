"""The live prompt of a chat: unsaved settings, messages and what is being written, by the one render function."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from chats.services.errors import app_errors
from chats.services.render import ActorCaller, answer
from chats.web.chat.choices import Choices, choices_of
from chats.web.chat.fields import overview, sections
from chats.web.chat.options import GENERATION, ChatOptions, read_options, render_request
from chats.web.chat.page import chat_of
from chats.web.chat.prompt import Links, ShownPrompt, shown_prompt
from chats.web.chat.saving import draft_of
from chats.web.chat.settings import NAMED
from chats.web.options import PROVIDERS
from chats.web.places import place_of, report_error, report_line
from formats.web.form import summaries
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError, Detail, ErrorCode
from neotavern.library.models import Item

OUTPUT = "prompt-output"
CHAT = "chat."


@dataclass(slots=True)
class ChatPreview:
    """What one request for the pane found."""

    item: Item
    options: ChatOptions
    document: dict[str, Any] = field(default_factory=dict)
    shown: ShownPrompt | None = None
    error: AppError | None = None
    milliseconds: float = 0.0

    @property
    def answer(self) -> Any:
        """The render's answer, None where it was refused."""
        return self.shown.answer if self.shown else None

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What the render has to say, with places in words, and fields of the settings to go to."""
        found = self.answer.findings if self.answer else ()
        return [
            one.to_dict()
            | {"place": place_of(one.path), "go": one.path[len(CHAT) :] if one.path.startswith(CHAT) else ""}
            for one in found
        ]

    @property
    def path(self) -> str:
        """The path below the provider's address that the body would be sent to."""
        return str(self.answer.provider_request["path"]) if self.answer and self.answer.provider_request else ""

    @property
    def body(self) -> str:
        """The body that the provider would be sent."""
        made = self.answer.provider_request if self.answer else None
        return json.dumps(made["body"], ensure_ascii=False, indent=2) if made else ""


@require_POST
@team_page("render")
def page(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Answer the prompt alone, the whole pane (htmx, first time), or a page (no script).

    What can not be rendered changes nothing in the pane; the report in the HX-Trigger header says what is wrong.
    """
    preview = preview_of(request, chat_of(request, slug, archived=True))
    context = {"preview": preview, "item": preview.item, "providers": PROVIDERS, "generation": GENERATION}
    if not request.htmx:
        status = preview.error.status if preview.error else 200
        return render(request, "chats/chat_prompt.html", context, status=status)
    if request.htmx.target != OUTPUT:
        response = render(request, "chats/_chat_pane.html", context)
        response["HX-Trigger-After-Swap"] = _report(request, preview)
        return response
    response = HttpResponse() if preview.error else render(request, "chats/_chat_output.html", context)
    if preview.error:
        response["HX-Reswap"] = "none"
    response["HX-Trigger"] = _report(request, preview)
    return response


def preview_of(request: PageRequest, item: Item, *, whole: bool = False) -> ChatPreview:
    """Return what a form makes of a chat: its settings as they stand there, and what is being written.

    `whole` takes all of a long prompt apart, not its ends alone.
    """
    began = perf_counter()
    preview = ChatPreview(item, read_options(request.POST))
    try:
        draft = draft_of(request, item)
        preview.document = draft.document
        if draft.faults:
            raise AppError(ErrorCode.VALIDATION, draft.faults[0].message, details=draft.faults)
        wanted = render_request(item.slug, preview.options)
        is_request = preview.options.mode == "request"
        with app_errors():
            made = answer(ActorCaller(request.actor), wanted, as_request=is_request, draft=draft.document)
        links = Links(request.actor.team_slug, item.slug, draft.document)
        preview.shown = shown_prompt(made, links, whole=whole)
    except AppError as error:
        preview.error = error
    preview.milliseconds = (perf_counter() - began) * 1000
    return preview


def errors_of(error: AppError) -> list[dict[str, Any]]:
    """Return the lines of a refusal, paths as the fields of the settings have them."""
    details = tuple(Detail(_field(one.path), one.message, one.line, one.column) for one in error.details)
    lines = report_error(AppError(error.code, error.message, details=details))
    if not details:
        return lines
    labels = {
        field.path: str(field.label) for section in sections(Choices({}, {}), {}) for field in section.all_fields()
    }
    return [
        line | {"path": detail.path, "label": labels.get(detail.path) or line["label"]}
        for line, detail in zip(lines, details, strict=False)
    ]


def _field(path: str) -> str:
    return path.removeprefix(CHAT)


def _summaries(document: dict[str, Any], choices: Choices) -> dict[str, str]:
    lines = summaries(document, sections(choices, document))
    return {"settings": overview(document, choices), **lines}


def _report(request: PageRequest, preview: ChatPreview) -> str:
    """Return the header that tells the page's script about errors and summaries; ASCII, as headers are."""
    choices = choices_of(request.actor, NAMED)
    findings = [
        report_line(one["severity"], one["path"], one["message"], one.get("line"), one.get("column"))
        | {"path": one["go"]}
        for one in preview.findings
        if one["go"]
    ]
    report = {
        "held": preview.error is not None,
        "errors": errors_of(preview.error) if preview.error else [],
        "findings": findings[:20],
        "summaries": _summaries(preview.document, choices) if preview.document else {},
    }
    return json.dumps({"preview-report": report})
