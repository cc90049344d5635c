"""What the prompt pane of a chat is asked for beside the settings: what is being written, and how it is rendered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from chats.services.render import RenderRequest
from chats.services.request import GenerationType
from chats.web.chat.thread import ROLES
from chats.web.options import MODES, PROVIDERS
from formats.web.form import newlines

GENERATION: Final[tuple[str, ...]] = get_args(GenerationType)
MOST_DIGITS: Final = 9
SEED: Final = 1
"""Chance stands still while one types; another seed shows other dice."""


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """The controls above the prompt, and what stands in the field below the messages."""

    mode: str = MODES[0]
    provider: str = PROVIDERS[0]
    generation: str = GENERATION[0]
    start: str = ""
    window: int | None = None
    reserve: int | None = None
    seed: int = SEED
    say: str = ""
    role: str = ROLES[0]
    name: str = ""


def read_options(post: Mapping[str, str]) -> ChatOptions:
    """Return the options of a form; what was not sent is as usual."""

    def one_of(name: str, known: tuple[str, ...]) -> str:
        return post[name] if post.get(name) in known else known[0]

    seed = _number(post.get("o.seed", ""))
    return ChatOptions(
        mode=one_of("o.mode", MODES),
        provider=one_of("o.provider", PROVIDERS),
        generation=one_of("o.generationType", GENERATION),
        start=newlines(post.get("o.start", "")),
        window=_number(post.get("o.window", "")) or None,
        reserve=_number(post.get("o.reserve", "")),
        seed=SEED if seed is None else seed,
        say=newlines(post.get("say.text", "")),
        role=one_of("say.role", ROLES),
        name=post.get("say.name", "").strip(),
    )


def _number(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


def render_request(slug: str, options: ChatOptions) -> RenderRequest:
    """Return the request that renders a stored chat with what is being written behind it."""
    fields: dict[str, Any] = {
        "chat": slug,
        "generationType": options.generation,
        "assistantPrefill": options.start,
        "randomSeed": options.seed,
        "trace": True,
    }
    if options.window is not None:
        fields["maxContextTokens"] = options.window
    if options.reserve is not None:
        fields["reserveForReply"] = options.reserve
    if options.mode == "request":
        fields["provider"] = options.provider
    else:
        fields["serializeAsText"] = options.mode == "string"
    if options.say.strip():
        fields |= _said(options)
    return RenderRequest.model_validate(fields)


def _said(options: ChatOptions) -> dict[str, Any]:
    if options.role == "user" and not options.name:
        return {"userInput": options.say}
    named = {"name": options.name} if options.name else {}
    return {"messages": [{"role": options.role, "content": options.say, **named}]}
