"""The live preview of a context template: the unsaved template over a story, by the one render function."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

from django.http import HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.http import require_POST

from chats.samples import STORIES, story
from chats.services.render import ActorCaller, RenderAnswer, RenderRequest, answer
from chats.stored.names import CHAT
from chats.web.bars import Bar, bar_of
from chats.web.context_reasons import Reasons, reasons_of
from chats.web.pane_answer import Templates, pane_answer, posted_document
from chats.web.pieces import prompt_html
from formats.prompt.segments import Segment
from formats.web.form import summaries
from formats.web.sections.context_templates import CONTEXT_TEMPLATE_SECTIONS
from formats.web.shown import where
from neotavern.accounts.actor import Actor
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError, Detail
from neotavern.library import selectors

TEMPLATES: Final = Templates("chats/context_preview.html", "chats/_context_pane.html", "chats/_context_output.html")
FIELD: Final = "contextTemplate."
STORED: Final = "chat:"
MODES: Final = ("messages", "string")
MOST_CHATS: Final = 50
MOST: Final = 20
RENDERED: Final = ("template", "blankLines", "historyOrder")
"""Fields of a document that a render reads."""

STORY_TITLES: Final = {
    "harbour": lazy("Harbour: two characters, lore, a reminder"),
    "long": lazy("The same, forty messages in"),
    "alone": lazy("One character, no lore"),
    "bare": lazy("Nothing but a message"),
}


@dataclass(frozen=True, slots=True)
class Options:
    """The controls above the prompt. Numbers are texts as typed; what is no number is as if nothing was typed."""

    sample: str = STORIES[0]
    mode: str = MODES[0]
    depth: str = ""
    trigger: str = ""
    tokens: str = ""
    prefill: str = ""

    @classmethod
    def read(cls, post: Mapping[str, str]) -> Options:
        """Return the options of a form; without the controls (a first request, no script), the usual ones."""
        if "o.mode" not in post:
            return cls()
        chosen = post.get("o.sample", "")
        return cls(
            sample=chosen if chosen in STORIES or chosen.startswith(STORED) else STORIES[0],
            mode=post["o.mode"] if post["o.mode"] in MODES else MODES[0],
            depth=post.get("o.depth", ""),
            trigger=post.get("o.trigger", ""),
            tokens=post.get("o.tokens", ""),
            prefill=post.get("o.prefill", "").replace("\r\n", "\n"),
        )

    @property
    def is_stored(self) -> bool:
        """Whether a chat of the team is shown, with its own prompt config."""
        return self.sample.startswith(STORED)

    def fields(self) -> dict[str, Any]:
        """Return the fields of the render request."""
        made: dict[str, Any] = {"chat": self.sample.removeprefix(STORED)} if self.is_stored else story(self.sample)
        if not self.is_stored and (config := made.get("promptConfig")):
            numbers = (("postHistoryDepth", self.depth), ("postHistoryTokenTrigger", self.trigger))
            config |= {name: int(text) for name, text in numbers if is_number(text)}
        if is_number(self.tokens) and int(self.tokens):
            made["maxContextTokens"] = int(self.tokens)
        if self.prefill:
            made["assistantPrefill"] = self.prefill
        if self.mode == "messages":
            made |= {"provider": "openai-compatible", "format": None}
        else:
            made["provider"] = "text-completion"
        return made | {"trace": True, "randomSeed": 1}


def is_number(text: str) -> bool:
    """Return whether somebody typed a whole number that a request may hold."""
    return text.isascii() and text.isdecimal() and len(text) < 8


@dataclass(slots=True)
class Preview:
    """What one request for the preview found."""

    options: Options
    document: dict[str, Any]
    answer: RenderAnswer | None = None
    error: AppError | None = None
    milliseconds: float = 0.0
    fields: dict[str, Any] = field(default_factory=dict)

    @property
    def html(self) -> SafeString | str:
        """The labelled prompt."""
        return prompt_html(self.answer.segments, (), self.messages) if self.answer else ""

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation as it was given."""
        found: list[dict[str, Any]] = self.fields.get("messages", [])
        return found

    @property
    def bar(self) -> Bar | None:
        """The bar under the prompt."""
        if self.answer is None:
            return None
        if self.options.mode == "string":
            return bar_of(self.answer.segments, self.messages)
        array = self.answer.messages
        texts = [str(message.get("content") or "") for message in array]
        return bar_of([Segment(text, "content", "", at) for at, text in enumerate(texts)], array)

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What the render has to say, with the field that each is about."""
        found = self.answer.findings if self.answer else ()
        return [one.to_dict() | {"place": "", "go": inside(one.path)} for one in found]

    @property
    def reasons(self) -> Reasons | None:
        """Why each entry is in or out, and what became of the reminder."""
        return reasons_of(self.answer.rendered) if self.answer else None


@require_POST
@team_page("render")
def page(request: PageRequest, team: str) -> HttpResponse:
    """Answer the prompt alone, the whole pane (htmx, first time), or a page (no script)."""
    preview = _preview(request)
    context = {"stories": [(name, STORY_TITLES[name]) for name in STORIES], "chats": _chats(request.actor)}
    return pane_answer(request, preview, context, TEMPLATES, _report(preview))


def _preview(request: PageRequest) -> Preview:
    began = perf_counter()
    preview = Preview(Options.read(request.POST), {})
    try:
        preview.document = posted_document(request, CONTEXT_TEMPLATE_SECTIONS, FIELD.rstrip("."))
        given = {name: preview.document[name] for name in RENDERED if name in preview.document}
        preview.fields = preview.options.fields()
        wanted = RenderRequest.model_validate({**preview.fields, "contextTemplate": given})
        preview.answer = answer(ActorCaller(request.actor), wanted)
    except AppError as error:
        preview.error = error
    preview.milliseconds = (perf_counter() - began) * 1000
    return preview


def _chats(actor: Actor) -> list[tuple[str, str]]:
    """Return the chats of the team that the caller may see."""
    page = selectors.list_items(actor, kind=CHAT, limit=MOST_CHATS)
    return [(f"{STORED}{item['slug']}", item["name"]) for item in page.items]


def inside(path: str) -> str:
    """Return the path inside the document; empty when the fault is elsewhere."""
    return path.removeprefix(FIELD) if path.startswith(FIELD) else ""


def _report(preview: Preview) -> str:
    """Return the header that tells the page's script about errors and summaries; ASCII, as headers are."""
    error = preview.error
    details = (error.details or [Detail("", error.message)]) if error else []
    faults = [(inside(one.path), one.message or "", one.line, one.column) for one in details]
    found = [one for one in preview.findings if one["go"]][:MOST]
    report = {
        "held": error is not None,
        "errors": [_line("error", *fault) for fault in faults[:MOST]],
        "findings": [
            _line(one["severity"], one["go"], one["message"], one.get("line"), one.get("column")) for one in found
        ],
        "summaries": summaries(preview.document, CONTEXT_TEMPLATE_SECTIONS) if preview.document else {},
    }
    return json.dumps({"preview-report": report})


def _line(severity: str, path: str, message: str, line: int | None, column: int | None) -> dict[str, Any]:
    place = {"line": line, "column": column, "where": where(line, column), "label": ""}
    return {"severity": severity, "path": path, "message": message[:400], **place}
