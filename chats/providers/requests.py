"""The request that each provider would be sent: a path below its address, and the body. Nothing is sent from here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from chats.providers.anthropic import anthropic_messages, anthropic_tools
from chats.providers.calls import openai_messages
from chats.providers.remarks import anthropic_findings, keeps_tools, tools_findings
from formats.prompt.findings import Finding


@dataclass(frozen=True, slots=True)
class Served:
    """A finished render as providers need it. In text mode `messages` is the one message with the prompt."""

    messages: Sequence[dict[str, Any]]
    stop: Sequence[str] = ()
    model: str | None = None
    tools: Sequence[dict[str, Any]] = field(default_factory=tuple)
    reply_tokens: int | None = None
    post_processing: str = "none"

    @property
    def sent_tools(self) -> list[dict[str, Any]]:
        """The tools, none where post-processing has made their calls plain text."""
        return list(self.tools) if keeps_tools(self.post_processing) else []

    @property
    def prompt(self) -> str:
        """The one string of text mode."""
        return str(self.messages[0]["content"]) if self.messages else ""


def provider_request(provider: str, served: Served) -> dict[str, Any]:
    """Return `{"path", "body"}` for a known provider; keys without a value are left out."""
    path, build = _BUILDERS[provider]
    return {"path": path, "body": build(served)}


def request_findings(provider: str, served: Served) -> list[Finding]:
    """Return what is to be said of the body that `provider_request` makes."""
    if provider not in ("openai-compatible", "anthropic"):
        return []
    own = anthropic_findings(served.messages) if provider == "anthropic" else []
    return [*own, *tools_findings(served.tools, served.post_processing)]


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None and value not in ([], {}, ())}


def _text_completion(served: Served) -> dict[str, Any]:
    return {
        **_given(model=served.model),
        "prompt": served.prompt,
        **_given(max_tokens=served.reply_tokens, stop=list(served.stop)),
    }


def _novelai(served: Served) -> dict[str, Any]:
    parameters = _given(max_length=served.reply_tokens, stop_sequences=list(served.stop))
    return {"input": served.prompt, **_given(model=served.model), "parameters": parameters}


def _koboldai(served: Served) -> dict[str, Any]:
    return {"prompt": served.prompt, **_given(max_length=served.reply_tokens, stop_sequence=list(served.stop))}


def _ai_horde(served: Served) -> dict[str, Any]:
    params = _given(max_length=served.reply_tokens, stop_sequence=list(served.stop))
    return {"prompt": served.prompt, "params": params, **_given(models=[served.model] if served.model else [])}


def _openai(served: Served) -> dict[str, Any]:
    optional = _given(tools=served.sent_tools, max_tokens=served.reply_tokens, stop=list(served.stop))
    return {**_given(model=served.model), "messages": openai_messages(served.messages), **optional}


def _anthropic(served: Served) -> dict[str, Any]:
    system, messages = anthropic_messages(served.messages)
    optional = _given(tools=anthropic_tools(served.sent_tools), max_tokens=served.reply_tokens)
    stops = _given(stop_sequences=list(served.stop))
    return {**_given(model=served.model, system=system), "messages": messages, **optional, **stops}


_BUILDERS: Final[Mapping[str, tuple[str, Callable[[Served], dict[str, Any]]]]] = {
    "text-completion": ("/v1/completions", _text_completion),
    "novelai": ("/ai/generate", _novelai),
    "koboldai": ("/api/v1/generate", _koboldai),
    "ai-horde": ("/api/v2/generate/text/async", _ai_horde),
    "openai-compatible": ("/v1/chat/completions", _openai),
    "anthropic": ("/v1/messages", _anthropic),
}
