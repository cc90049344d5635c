"""What the preview is asked for beside the document: the conversation and how it is rendered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from chats.providers.names import CHAT_ADAPTERS, TEXT_ADAPTERS
from chats.samples import NAMES, sample
from chats.services.render import RenderRequest
from chats.web.conversation import read_conversation

OWN = "own"
MODES = ("string", "messages", "request")
POLICIES = ("keep", "escape", "reject")
PROVIDERS = tuple(sorted(TEXT_ADAPTERS)) + tuple(sorted(CHAT_ADAPTERS, reverse=True))
THINKING = {"on": True, "off": False}


@dataclass(frozen=True, slots=True)
class Options:
    """The controls above the prompt, as they were sent."""

    sample: str = NAMES[0]
    own: str = ""
    mode: str = "string"
    is_generating: bool = True
    is_continued: bool = False
    prefill: str = ""
    bos: Literal["keep", "omit"] = "keep"
    special: str = "keep"
    thinking: str = ""
    has_tools: bool = True
    provider: str = PROVIDERS[0]

    @property
    def is_own(self) -> bool:
        """True for a pasted conversation."""
        return self.sample == OWN


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages with the tools and skills that belong to them."""

    messages: list[dict[str, Any]] = field(default_factory=list)
    tools: list[dict[str, Any]] = field(default_factory=list)
    skills: list[dict[str, Any]] = field(default_factory=list)


def read_options(post: Mapping[str, str]) -> Options:
    """Return the options of a form; without the controls (a first request, no script), the usual ones."""
    if "o.mode" not in post:
        return Options()
    return Options(
        sample=post.get("o.sample", "") if post.get("o.sample") in (*NAMES, OWN) else NAMES[0],
        own=post.get("o.messages", ""),
        mode=post["o.mode"] if post["o.mode"] in MODES else MODES[0],
        is_generating="o.generation" in post,
        is_continued="o.continue" in post,
        prefill=post.get("o.prefill", "").replace("\r\n", "\n"),
        bos="omit" if "o.omitbos" in post else "keep",
        special=post["o.special"] if post.get("o.special") in POLICIES else POLICIES[0],
        thinking=post.get("o.thinking", ""),
        has_tools="o.tools" in post,
        provider=post["o.provider"] if post.get("o.provider") in PROVIDERS else PROVIDERS[0],
    )


def conversation_of(options: Options) -> Conversation:
    """Return the conversation that the options choose. Raises VALIDATION for a pasted one that can not be read."""
    if options.is_own:
        return Conversation(read_conversation(options.own))
    return Conversation(**sample(options.sample))


def request_fields(options: Options, conversation: Conversation) -> dict[str, Any]:
    """Return the fields of a render request, as JSON has them, format left out and only what is not the default."""
    fields: dict[str, Any] = {"messages": conversation.messages}
    if options.has_tools:
        fields |= {name: value for name in ("tools", "skills") if (value := getattr(conversation, name))}
    changes = {
        "addGenerationPrompt": (options.is_generating, True),
        "continueFinalMessage": (options.is_continued, False),
        "assistantPrefill": (options.prefill, ""),
        "bos": (options.bos, "keep"),
        "specialTokenPolicy": (options.special, "keep"),
        "thinking": (THINKING.get(options.thinking), None),
    }
    fields |= {name: value for name, (value, usual) in changes.items() if value != usual}
    if options.mode == "messages":
        fields["serializeAsText"] = False
    if options.mode == "request":
        fields["provider"] = options.provider
    return fields


def render_request(document: dict[str, Any], fields: dict[str, Any]) -> RenderRequest:
    """Return the request that renders an unsaved document; `trace` brings the labelled pieces."""
    return RenderRequest.model_validate({"format": document, "trace": True, **fields})
