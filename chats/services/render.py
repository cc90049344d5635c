"""THE render function: operations, batch, pages and commands all call `answer`, and nothing else makes a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils import timezone

from chats.pipeline.budget import BudgetExceeded
from chats.pipeline.expander import may_have_macros
from chats.pipeline.interceptors import Interceptor
from chats.pipeline.ports import Ports
from chats.pipeline.run import run
from chats.pipeline.sources import Rendered, Sources
from chats.pipeline.unread import has_unread
from chats.providers.mode import DEFAULT_FORMAT, ModeChoice, choose_mode
from chats.providers.requests import Served, provider_request, request_findings
from chats.providers.serialise import chat_messages, text_messages
from chats.providers.stops import merge_stops
from chats.services.answer import RenderAnswer, TokenBudget
from chats.services.callers import ActorCaller, BuiltinCaller, Caller, TokenCaller
from chats.services.counters import counter_for
from chats.services.errors import app_errors
from chats.services.fingerprint import fingerprint
from chats.services.formats import ReadyFormat
from chats.services.lookup import Lookup, default_format, look_up
from chats.services.ports import ports_for
from chats.services.request import RenderRequest
from chats.services.story import budget_of, interceptors_of, story_key, with_story
from formats.handlebars import TemplateError
from formats.prompt.errors import PromptError, RenderRefused
from formats.prompt.findings import Finding
from formats.prompt.message import Message
from formats.prompt.options import RenderSettings
from neotavern.ground.errors import invalid

__all__ = ["ActorCaller", "BuiltinCaller", "Caller", "RenderAnswer", "RenderRequest", "TokenCaller", "answer"]

PROMPT_NOT_RENDERED = "PROMPT_NOT_RENDERED"
SKILLS_NOT_SENT = Finding(
    "warning",
    "SKILLS_NOT_SENT",
    "Skills are part of a format's system turn: the array that a chat provider gets has no place for them.",
    "skills",
)
DEFAULTS = RenderSettings()
SETTINGS_FIELDS = frozenset({
    "tools", "skills", "add_generation_prompt", "continue_final_message", "generation_type", "assistant_prefill", "bos",
    "special_token_policy", "thinking", "strict",
})  # fmt: skip
"""Fields of a request that RenderSettings are made of."""


@dataclass(frozen=True, slots=True)
class _Render:
    """One render under way: what was asked, what was found, and how it is served."""

    request: RenderRequest
    found: Lookup
    ready: ReadyFormat | None
    choice: ModeChoice
    ports: Ports
    interceptors: tuple[Interceptor, ...] = field(default=())

    @property
    def is_text(self) -> bool:
        return self.choice.mode == "text"

    @property
    def variables(self) -> dict[str, Any]:
        """The team's variables with the request's over them; none where macros are off."""
        return {**self.found.settings.variables, **self.request.variables} if self.request.macros else {}


def answer(
    caller: Caller, request: RenderRequest, *, as_request: bool = False, draft: Mapping[str, Any] | None = None
) -> RenderAnswer:
    """Return the prompt and messages of `request` for `caller`. Writes nothing but the last use of a key.

    `as_request` adds the body and path that the request's provider would be sent. `draft` are settings that stand in
    for the stored ones of the request's chat.

    Raises AppError: UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, VALIDATION, TEMPLATE_SYNTAX, TEMPLATE_LIMIT,
    RENDER_REFUSED, UNSUPPORTED_VERSION or TOKEN_BUDGET_EXCEEDED.
    """
    now = timezone.now()
    found = look_up(caller, request, now, draft=draft)
    request = found.request
    if as_request and request.provider is None:
        raise invalid("provider", "Name the provider whose request you want to see.")
    with app_errors():
        choice = _choice(found, request)
        ready = default_format(found, DEFAULT_FORMAT) if choice.needs_default else found.format
        counter = counter_for(request.tokenizer, request.model)
        ports = ports_for(request.now or now, request.random_seed, counter)
        render = _Render(request, found, ready, choice, ports, interceptors_of(found))
        rendered, notes = _rendered(render)
    made = _answer(render, rendered, notes)
    return _with_request(request, made) if as_request else made


def _with_request(request: RenderRequest, made: RenderAnswer) -> RenderAnswer:
    """Return the answer with the provider's request, and what is to be said of that behind its findings."""
    provider = request.provider or ""
    tools = request.tools if made.mode == "chat" else ()
    served = Served(made.messages, made.stop, request.model, tools, request.reserve_for_reply, request.post_processing)
    findings = [*made.findings, *request_findings(provider, served)]
    return replace(made, findings=findings, provider_request=provider_request(provider, served))


def _choice(found: Lookup, request: RenderRequest) -> ModeChoice:
    return choose_mode(
        provider=request.provider,
        asked=request.serialize_as_text,
        stored=found.settings.serialize_as_text,
        has_format=found.format is not None,
    )


def _sources(render: _Render, *, whole: bool) -> tuple[Sources, list[Finding]]:
    """Return what the prompt is made of; unless `whole`, a stored chat without what is too old for the budget."""
    request = render.request
    plain = Sources(
        history=tuple(Message.read_all(request.messages)),
        user_input=request.user_input or "",
        macros=request.macros,
        variables=render.variables,
        settings=_settings(request),
        generation_type=request.generation_type,
        model=request.model or "",
        budget=budget_of(request, render.found.settings),
        is_text=render.is_text,
        with_figures=request.trace,
        filler_user=_filler(render),
    )
    return with_story(plain, render.found, None if whole else render.ports.counter)


def _settings(request: RenderRequest) -> RenderSettings:
    """Return how to render; for a request that says nothing of it, as most do, one that is made already."""
    if SETTINGS_FIELDS.isdisjoint(request.model_fields_set):
        return DEFAULTS
    return RenderSettings(
        tools=request.tools,
        skills=[skill.model_dump() for skill in request.skills],
        add_generation_prompt=request.add_generation_prompt,
        continue_final_message=request.is_continued,
        prefill=request.assistant_prefill,
        bos=request.bos,
        special_token_policy=request.special_token_policy,
        thinking=request.thinking,
        strict=request.strict,
    )


def _filler(render: _Render) -> str:
    """Return the format's filler turn when it has macros: it is a source text, and the only one in a format."""
    form = render.ready.format if render.ready is not None else None
    return form.filler_user if form is not None and may_have_macros(form.filler_user) else ""


def _rendered(render: _Render) -> tuple[Rendered, list[Finding]]:
    """Run the pipeline. In chat mode the prompt is for diagnostics, so a format that refuses costs only the prompt."""
    sources, notes = _sources(render, whole=False)
    if render.found.chat is not None and has_unread(sources.history):
        with suppress(PromptError, TemplateError, BudgetExceeded):
            rendered = _run(render, sources, notes)
            is_refused = len(rendered[1]) > len(notes)
            if not is_refused and not has_unread(rendered[0].assembled.messages):
                return rendered
        sources, notes = _sources(render, whole=True)
    return _run(render, sources, notes)


def _run(render: _Render, sources: Sources, notes: list[Finding]) -> tuple[Rendered, list[Finding]]:
    trace = render.request.trace
    segments = trace or render.request.spans
    form = render.ready.format.compiled if render.ready is not None else None
    interceptors = render.interceptors
    if render.is_text or form is None:
        return run(sources, form, render.ports, segments=segments, interceptors=interceptors, trace=trace), notes
    try:
        return run(sources, form, render.ports, segments=segments, interceptors=interceptors, trace=trace), notes
    except RenderRefused as error:
        message = f"The format can not render these messages: {error.message}."
        rendered = run(sources, None, render.ports, interceptors=interceptors, trace=trace)
        return rendered, [*notes, Finding("warning", PROMPT_NOT_RENDERED, message, error.path)]


def _answer(render: _Render, rendered: Rendered, notes: list[Finding]) -> RenderAnswer:
    request, is_text = render.request, render.is_text
    inline = render.ready.findings if render.ready is not None else ()
    if request.skills and not is_text:
        notes = [*notes, SKILLS_NOT_SENT]
    return RenderAnswer(
        fingerprint=_fingerprint(render),
        mode=render.choice.mode,
        prompt=rendered.text,
        messages=text_messages(rendered.text or "") if is_text else _array(request, rendered),
        stop=merge_stops(rendered.stops if is_text else (), request.stop_strings),
        token_budget=_budget(render, rendered),
        findings=[*render.found.findings, *render.choice.findings, *inline, *notes, *rendered.findings],
        random_seed=render.ports.rng.seed,
        rendered=rendered,
        with_trace=request.trace,
        with_spans=request.spans,
        token_texts=render.ready.format.token_texts if render.ready is not None else (),
    )


def _array(request: RenderRequest, rendered: Rendered) -> list[dict[str, Any]]:
    assembled = rendered.assembled
    return chat_messages(
        assembled.messages,
        prefill=assembled.settings.prefill,
        is_continued=assembled.settings.continue_final_message,
        post_processing=request.post_processing,
        user=assembled.user,
        char=assembled.speaker,
    )


def _budget(render: _Render, rendered: Rendered) -> TokenBudget:
    counter = render.ports.counter
    approximate = counter.approximate or any(one["approximate"] for one in rendered.media)
    budget = budget_of(render.request, render.found.settings)
    if budget is None:
        return TokenBudget(counter.name, approximate, None, render.request.reserve_for_reply, rendered.tokens)
    return TokenBudget(counter.name, approximate, budget.limit, budget.reserved, rendered.tokens)


def _fingerprint(render: _Render) -> str:
    request = render.request
    return fingerprint(
        render.ready.content_hash if render.ready is not None else "",
        render.choice.mode,
        request.bos,
        request.special_token_policy,
        request.thinking,
        request.strict,
        tuple(sorted(render.variables.items())),
        request.add_generation_prompt,
        request.generation_type,
        request.macros,
        request.model,
        budget_of(request, render.found.settings),
        *story_key(render.found),
    )
