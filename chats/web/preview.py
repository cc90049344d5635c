"""The live preview: an unsaved document and a conversation in, the very bytes out, by the one render function."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from chats.samples import NAMES
from chats.services.render import ActorCaller, RenderAnswer, answer
from chats.web.bars import Bar, bar_of
from chats.web.options import PROVIDERS, Options, conversation_of, read_options, render_request, request_fields
from chats.web.pane_answer import Templates, pane_answer, posted_document
from chats.web.pieces import prompt_html
from chats.web.places import field_path, place_of, report_error, report_line
from chats.web.words import SAMPLE_TITLES
from formats.web.form import summaries
from formats.web.sections import SECTIONS
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError

TEMPLATES: Final = Templates("chats/preview.html", "chats/_pane.html", "chats/_output.html")
PLACEHOLDER = "unsaved"


@dataclass(slots=True)
class Preview:
    """What one request for the preview found."""

    options: Options
    document: dict[str, Any]
    fields: dict[str, Any] = field(default_factory=dict)
    answer: RenderAnswer | None = None
    error: AppError | None = None
    milliseconds: float = 0.0

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation as it was given."""
        found: list[dict[str, Any]] = self.fields.get("messages", [])
        return found

    @property
    def html(self) -> str:
        """The labelled prompt."""
        return prompt_html(self.answer.segments, _tokens(self.document), self.messages) if self.answer else ""

    @property
    def bar(self) -> Bar | None:
        """The bar under the prompt."""
        return bar_of(self.answer.segments, self.messages) if self.answer else None

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What the render has to say, with places in words."""
        if self.answer is None:
            return []
        return [
            finding.to_dict() | {"place": place_of(finding.path), "go": field_path(finding.path)}
            for finding in self.answer.findings
        ]

    @property
    def path(self) -> str:
        """The path below the provider's address that the body would be sent to."""
        made = self.answer.provider_request if self.answer else None
        return str(made["path"]) if made else ""

    @property
    def body(self) -> str:
        """The body that the provider would be sent."""
        made = self.answer.provider_request if self.answer else None
        return json.dumps(made["body"], ensure_ascii=False, indent=2) if made else ""


@require_POST
@team_page("render")
def page(request: PageRequest, team: str) -> HttpResponse:
    """Answer the prompt alone, the whole pane (htmx, first time), or a page (no script)."""
    preview = preview_of(request)
    context = {"samples": [(name, SAMPLE_TITLES[name]) for name in NAMES], "providers": PROVIDERS}
    return pane_answer(request, preview, context, TEMPLATES, _report(preview))


def preview_of(request: PageRequest) -> Preview:
    """Return what a form makes of a conversation: the document as it stands there, and the options beside it."""
    began = perf_counter()
    preview = Preview(read_options(request.POST), {})
    try:
        preview.document = _document(request)
        preview.fields = request_fields(preview.options, conversation_of(preview.options))
        wanted = render_request(preview.document, preview.fields)
        is_request = preview.options.mode == "request"
        preview.answer = answer(ActorCaller(request.actor), wanted, as_request=is_request)
    except AppError as error:
        preview.error = error
    preview.milliseconds = (perf_counter() - began) * 1000
    return preview


def _document(request: PageRequest) -> dict[str, Any]:
    """Return the document of the form. Raises VALIDATION for fields whose text means nothing."""
    document = posted_document(request, SECTIONS, "format")
    # a new format has no slug and name yet; the prompt does not depend on them
    return document | {name: document.get(name) or request.POST.get("slug") or PLACEHOLDER for name in ("id", "name")}


def _tokens(document: dict[str, Any]) -> list[str]:
    """Return the texts shown as pills: special tokens, BOS, EOS, stop strings."""
    listed = document.get("specialTokens") or []
    tokens = [one.get("token", "") if isinstance(one, dict) else one for one in listed]
    return [str(token) for token in (*tokens, document.get("bos"), document.get("eos"), *_stops(document)) if token]


def _stops(document: dict[str, Any]) -> list[str]:
    """Return the stop strings that are tokens; one like a newline and a name is ordinary text."""
    return [stop for stop in document.get("stopStrings") or [] if stop.strip() == stop and " " not in stop]


def _report(preview: Preview) -> str:
    """Return the header that tells the page's script about errors and summaries; ASCII, as headers are."""
    findings = [
        report_line(one["severity"], one["path"], one["message"], one.get("line"), one.get("column"))
        for one in preview.findings
        if one["go"]
    ]
    report = {
        "held": preview.error is not None,
        "errors": report_error(preview.error) if preview.error else [],
        "findings": findings[:20],
        "summaries": summaries(preview.document) if preview.document else {},
    }
    return json.dumps({"preview-report": report})
