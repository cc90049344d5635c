"""THE render function: operations, batch, pages and commands all call `answer`, and nothing else makes a prompt."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from chats.pipeline.ports import Ports
from chats.pipeline.run import run
from chats.pipeline.sources import Rendered, Sources
from chats.providers.mode import DEFAULT_FORMAT, ModeChoice, choose_mode
from chats.providers.serialise import chat_messages, text_messages
from chats.providers.stops import merge_stops
from chats.services.answer import RenderAnswer, TokenBudget
from chats.services.available import check_available
from chats.services.callers import ActorCaller, BuiltinCaller, Caller, TokenCaller
from chats.services.errors import app_errors
from chats.services.fingerprint import fingerprint
from chats.services.formats import ReadyFormat
from chats.services.lookup import TeamSettings, default_format, look_up
from chats.services.ports import ports_for
from chats.services.request import RenderRequest
from formats.prompt.errors import PromptError
from formats.prompt.findings import Finding
from formats.prompt.message import Message
from formats.prompt.options import RenderSettings

__all__ = ["ActorCaller", "BuiltinCaller", "Caller", "RenderAnswer", "RenderRequest", "TokenCaller", "answer"]

PROMPT_NOT_RENDERED = "PROMPT_NOT_RENDERED"
SKILLS_NOT_SENT = "SKILLS_NOT_SENT"


def answer(caller: Caller, request: RenderRequest) -> RenderAnswer:
    """Return the prompt and messages of `request` for `caller`. Writes nothing but the last use of a key.

    Raises AppError: UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, VALIDATION, TEMPLATE_SYNTAX, TEMPLATE_LIMIT,
    RENDER_REFUSED or UNSUPPORTED_VERSION.
    """
    now = timezone.now()
    found = look_up(caller, request, now)
    check_available(request)
    ready, settings = found.format, found.settings
    with app_errors():
        choice = choose_mode(
            provider=request.provider,
            asked=request.serialize_as_text,
            stored=settings.serialize_as_text,
            has_format=ready is not None,
        )
        if choice.needs_default:
            ready = default_format(found, DEFAULT_FORMAT)
        ports = ports_for(request.now or now, request.random_seed)
        rendered, extra = _rendered(_sources(request, settings), ready, ports, request, choice)
    return _answer(request, settings, ready, choice, rendered, extra, ports)


def _sources(request: RenderRequest, settings: TeamSettings) -> Sources:
    return Sources(
        history=tuple(Message.read_all(request.messages)),
        user_input=request.user_input or "",
        macros=request.macros,
        variables={**settings.variables, **request.variables} if request.macros else {},
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


def _rendered(
    sources: Sources, ready: ReadyFormat | None, ports: Ports, request: RenderRequest, choice: ModeChoice
) -> tuple[Rendered, list[Finding]]:
    """Run the pipeline. In chat mode the prompt is for diagnostics, so a format that refuses costs only the prompt."""
    segments = request.trace or request.spans
    form = ready.format.compiled if ready is not None else None
    if choice.mode == "text" or form is None:
        return run(sources, form, ports, segments=segments), []
    try:
        return run(sources, form, ports, segments=segments), []
    except PromptError as error:
        rendered = run(sources, None, ports)
        message = f"The format can not render these messages: {error.message}."
        return rendered, [Finding("warning", PROMPT_NOT_RENDERED, message, error.path)]


def _answer(
    request: RenderRequest,
    settings: TeamSettings,
    ready: ReadyFormat | None,
    choice: ModeChoice,
    rendered: Rendered,
    extra: list[Finding],
    ports: Ports,
) -> RenderAnswer:
    is_text = choice.mode == "text"
    inline = ready.findings if ready is not None else ()
    if not is_text and request.skills:
        message = "Skills are part of a format's system turn; the array that a chat provider gets has no place for them."
        extra = [*extra, Finding("warning", SKILLS_NOT_SENT, message, "skills")]
    return RenderAnswer(
        fingerprint=_fingerprint(request, settings, ready, choice),
        mode=choice.mode,
        prompt=rendered.text,
        messages=text_messages(rendered.text or "") if is_text else _array(request, rendered),
        stop=merge_stops(rendered.stops if is_text else (), request.stop_strings),
        token_budget=_budget(request, rendered, ports),
        findings=[*choice.findings, *inline, *extra, *rendered.findings],
        random_seed=ports.rng.seed,
        rendered=rendered,
        with_trace=request.trace,
        with_spans=request.spans,
    )


def _array(request: RenderRequest, rendered: Rendered) -> list[dict[str, Any]]:
    messages = rendered.assembled.messages
    return chat_messages(messages, prefill=request.assistant_prefill, is_continued=request.is_continued)


def _budget(request: RenderRequest, rendered: Rendered, ports: Ports) -> TokenBudget:
    """Count the text that is there: the prompt, else what the messages say."""
    text = rendered.text
    if text is None:
        text = "".join(message.plain for message in rendered.assembled.messages if not message.excluded)
    counter = ports.counter
    tokens = counter.count(text)
    return TokenBudget(counter.profile, counter.is_approximate, None, request.reserve_for_reply, tokens)


def _fingerprint(
    request: RenderRequest, settings: TeamSettings, ready: ReadyFormat | None, choice: ModeChoice
) -> str:
    variables = {**settings.variables, **request.variables} if request.macros else {}
    return fingerprint(
        ready.content_hash if ready is not None else "",
        choice.mode,
        request.bos,
        request.special_token_policy,
        request.thinking,
        request.strict,
        tuple(sorted(variables.items())),
    )
