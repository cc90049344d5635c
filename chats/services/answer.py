"""`RenderAnswer`: the result of a render, and its JSON form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from chats.pipeline.parts import Part, parts_of
from chats.pipeline.sources import Excluded, Rendered
from chats.services.spans import spans_of
from formats.prompt.findings import Finding
from formats.prompt.segments import Segment
from formats.tokens import profile

SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """How large the prompt is and may be. `context_limit` is None when nothing limits it."""

    profile: str
    approximate: bool
    context_limit: int | None
    reserved_for_reply: int | None
    prompt_tokens: int

    def wire(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "profile": self.profile,
            "approximate": self.approximate,
            "contextLimit": self.context_limit,
            "reservedForReply": self.reserved_for_reply,
            "promptTokens": self.prompt_tokens,
        }


@dataclass(frozen=True, slots=True)
class RenderAnswer:
    """What a caller gets. `prompt` is None when no format is known; `stop` and `messages` go to the provider.

    `token_texts` are what of the prompt is a special token of the format: pages mark them.
    """

    fingerprint: str
    mode: str
    prompt: str | None
    messages: list[dict[str, Any]]
    stop: list[str]
    token_budget: TokenBudget
    findings: Sequence[Finding]
    random_seed: int
    rendered: Rendered
    with_trace: bool = False
    with_spans: bool = False
    provider_request: dict[str, Any] | None = None
    token_texts: Sequence[str] = ()

    @property
    def segments(self) -> Sequence[Segment]:
        """The prompt in labelled pieces; empty unless `trace` or `spans` was asked for."""
        return self.rendered.segments or ()

    @property
    def parts(self) -> list[Part]:
        """The prompt message by message, with tokens and reasons; counted when asked."""
        return parts_of(self.rendered, profile(self.token_budget.profile))

    @property
    def excluded(self) -> Sequence[Excluded]:
        """The messages that the prompt does not have."""
        return self.rendered.assembled.excluded

    def wire(self) -> dict[str, Any]:
        """Return the JSON form of the contract."""
        wire: dict[str, Any] = {
            "schemaVersion": SCHEMA_VERSION,
            "fingerprint": self.fingerprint,
            "mode": self.mode,
            "prompt": self.prompt,
            "messages": self.messages,
            "stop": self.stop,
            "tokenBudget": self.token_budget.wire(),
            "excluded": [{"id": item.id, "origin": item.origin, "reason": item.reason} for item in self.excluded],
            "findings": [finding.to_dict() for finding in self.findings],
            "randomSeed": self.random_seed,
        }
        if self.rendered.media:
            wire["media"] = list(self.rendered.media)
        if self.with_trace:
            wire["segments"] = [segment_wire(segment) for segment in self.segments]
            wire["trace"] = [record.wire() for record in self.rendered.trace]
            wire["parts"] = [part.wire() for part in self.parts]
        if self.with_spans:
            wire["spans"] = spans_of(self.segments, self._roles())
        if self.provider_request is not None:
            wire["request"] = self.provider_request
        return wire

    def _roles(self) -> dict[int, str]:
        """Return the roles of the messages as given, by their places."""
        assembled = self.rendered.assembled
        pairs = zip(assembled.places, assembled.messages, strict=True)
        return {place: message.role for place, message in pairs if place is not None}

    def body(self) -> bytes:
        """Return the JSON form as bytes."""
        return orjson.dumps(self.wire())


def segment_wire(segment: Segment) -> dict[str, Any]:
    """Return the JSON form of a segment."""
    return {
        "text": segment.text,
        "kind": segment.kind,
        "source": segment.source,
        "messageIndex": segment.message_index,
    }
