"""THE render function: operations, batch, pages and commands all call `answer`, and nothing else makes a prompt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone

from chats.pipeline.ports import Ports
from chats.pipeline.run import run
from chats.pipeline.sources import Rendered, Sources
from chats.providers.mode import DEFAULT_FORMAT, ModeChoice, choose_mode
from chats.providers.requests import Served, provider_request
from chats.providers.serialise import chat_messages, text_messages
from chats.providers.stops import merge_stops
from chats.services.answer import RenderAnswer, TokenBudget
from chats.services.available import check_available
from chats.services.callers import ActorCaller, BuiltinCaller, Caller, TokenCaller
from chats.services.errors import app_errors
from chats.services.fingerprint import fingerprint
from chats.services.formats import ReadyFormat
from chats.services.lookup import Lookup, default_format, look_up
from chats.services.ports import ports_for
from chats.services.request import RenderRequest
from formats.prompt.errors import RenderRefused
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


@dataclass(frozen=True, slots=True)
class _Render:
    """One render under way: what was asked, what was found, and how it is served."""

    request: RenderRequest
    found: Lookup
    ready: ReadyFormat | None
    choice: ModeChoice
    ports: Ports

    @property
    def is_text(self) -> bool:
        return self.choice.mode == "text"

    @property
    def variables(self) -> dict[str, Any]:
        """The team's variables with the request's over them; none where macros are off."""
        return {**self.found.settings.variables, **self.request.variables} if self.request.macros else {}


def answer(caller: Caller, request: RenderRequest, *, as_request: bool = False) -> RenderAnswer:
    """Return the prompt and messages of `request` for `caller`. Writes nothing but the last use of a key.

    `as_request` adds the body and path that the request's provider would be sent.

    Raises AppError: UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, VALIDATION, TEMPLATE_SYNTAX, TEMPLATE_LIMIT,
    RENDER_REFUSED or UNSUPPORTED_VERSION.
    """
    now = timezone.now()
    found = look_up(caller, request, now)
    check_available(request)
    request = found.request
    if as_request and request.provider is None:
        raise invalid("provider", "Name the provider whose request you want to see.")
    with app_errors():
        choice = _choice(found, request)
        ready = default_format(found, DEFAULT_FORMAT) if choice.needs_default else found.format
        render = _Render(request, found, ready, choice, ports_for(request.now or now, request.random_seed))
        rendered, notes = _rendered(render)
    made = _answer(render, rendered, notes)
    return replace(made, provider_request=_provider_request(request, made)) if as_request else made


def _provider_request(request: RenderRequest, made: RenderAnswer) -> dict[str, Any]:
    tools = request.tools if made.mode == "chat" else ()
    served = Served(made.messages, made.stop, request.model, tools, request.reserve_for_reply)
    return provider_request(request.provider or "", served)


def _choice(found: Lookup, request: RenderRequest) -> ModeChoice:
    return choose_mode(
        provider=request.provider,
        asked=request.serialize_as_text,
        stored=found.settings.serialize_as_text,
        has_format=found.format is not None,
    )


def _sources(render: _Render) -> Sources:
    request = render.request
    return Sources(
        history=tuple(Message.read_all(request.messages)),
        user_input=request.user_input or "",
        macros=request.macros,
        variables=render.variables,
        settings=RenderSettings(
            tools=request.tools,
            skills=[skill.model_dump() for skill in request.skills],
            add_generation_prompt=request.add_generation_prompt,
            continue_final_message=request.is_continued,
            prefill=request.assistant_prefill,
            bos=request.bos,
            special_token_policy=request.special_token_policy,
            thinking=request.thinking,
            strict=request.strict,
        ),
    )


def _rendered(render: _Render) -> tuple[Rendered, list[Finding]]:
    """Run the pipeline. In chat mode the prompt is for diagnostics, so a format that refuses costs only the prompt."""
    sources = _sources(render)
    segments = render.request.trace or render.request.spans
    form = render.ready.format.compiled if render.ready is not None else None
    if render.is_text or form is None:
        return run(sources, form, render.ports, segments=segments), []
    try:
        return run(sources, form, render.ports, segments=segments), []
    except RenderRefused as error:
        message = f"The format can not render these messages: {error.message}."
        return run(sources, None, render.ports), [Finding("warning", PROMPT_NOT_RENDERED, message, error.path)]


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
    )


def _array(request: RenderRequest, rendered: Rendered) -> list[dict[str, Any]]:
    messages = rendered.assembled.messages
    return chat_messages(messages, prefill=request.assistant_prefill, is_continued=request.is_continued)


def _budget(render: _Render, rendered: Rendered) -> TokenBudget:
    """Count the text that is there: the prompt, else what the messages say."""
    text = rendered.text
    if text is None:
        text = "".join(message.plain for message in rendered.assembled.messages if not message.excluded)
    counter = render.ports.counter
    reserved = render.request.reserve_for_reply
    return TokenBudget(counter.profile, counter.is_approximate, None, reserved, counter.count(text))


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
    )
