"""What the answers look like, for OpenAPI: the answers themselves are written by `RenderAnswer.wire`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field


class TokenBudgetOut(BaseModel):
    """How large the prompt is and may be."""

    profile: str
    approximate: bool
    contextLimit: int | None
    reservedForReply: int | None
    promptTokens: int


class ExcludedOut(BaseModel):
    """A message that the prompt does not have."""

    id: str | None
    origin: str
    reason: str


class FindingOut(BaseModel):
    """A remark about the request or its format."""

    severity: Literal["error", "warning", "info"]
    code: str
    message: str
    path: str
    line: int | None = None
    column: int | None = None
    data: dict[str, Any] | None = None


class SegmentOut(BaseModel):
    """A stretch of the prompt and where it comes from."""

    text: str
    kind: Literal["markup", "content"]
    source: str
    messageIndex: int | None


class StageOut(BaseModel):
    """What a stage did."""

    stage: str
    added: list[dict[str, Any]]
    changed: list[dict[str, Any]]
    dropped: list[dict[str, Any]]
    tokens: int | None
    ms: float


class SpanOut(BaseModel):
    """A stretch of one message's content, in code points of the prompt."""

    message: int
    start: int
    end: int
    trainable: bool


class MediumOut(BaseModel):
    """An image, video or sound of the prompt, and what it takes; `tokens` is null where nobody knows."""

    type: str
    path: str
    tokens: int | None
    approximate: bool


class RenderOut(BaseModel):
    """A rendered conversation. `media` is there when the format places any, the last four when asked for."""

    schemaVersion: Literal[1]
    fingerprint: str
    mode: Literal["text", "chat"]
    prompt: str | None
    messages: list[dict[str, Any]]
    stop: list[str]
    tokenBudget: TokenBudgetOut
    excluded: list[ExcludedOut]
    findings: list[FindingOut]
    randomSeed: int
    media: list[MediumOut] | None = None
    segments: list[SegmentOut] | None = Field(default=None)
    trace: list[StageOut] | None = None
    spans: list[SpanOut] | None = None
    request: dict[str, Any] | None = None


class TokensOut(BaseModel):
    """The tokens of a text. An estimate has no ids."""

    count: int
    tokens: list[int]
    tokenStrings: list[str]
    profile: str
    approximate: bool


class PromptOut(BaseModel):
    """llama.cpp's answer."""

    prompt: str


class TokenizerOut(BaseModel):
    """One profile: `builtin`, of a `package`, or `uploaded`."""

    name: str
    source: str
    approximate: bool


class TokenizersOut(BaseModel):
    """Every profile."""

    items: list[TokenizerOut]
