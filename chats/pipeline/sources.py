"""`Sources`: everything that a prompt is made of, before any decision. The later phases have types of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chats.pipeline.trace import StageRecord
from formats.prompt.findings import Finding
from formats.prompt.message import Message
from formats.prompt.options import RenderSettings
from formats.prompt.segments import Segment


@dataclass(frozen=True, slots=True)
class Sources:
    """History and input as the caller gave them, with the settings of the render. Stages return a changed copy."""

    history: tuple[Message, ...]
    user_input: str = ""
    macros: bool = True
    variables: Mapping[str, Any] = field(default_factory=dict)
    settings: RenderSettings = field(default_factory=RenderSettings)


@dataclass(frozen=True, slots=True)
class Excluded:
    """A message that the prompt does not have, and why."""

    id: str | None
    origin: str
    reason: str


@dataclass(frozen=True, slots=True)
class Assembled:
    """The messages of the prompt in order; those with `excluded` set are passed over by all that follows."""

    messages: tuple[Message, ...]
    settings: RenderSettings
    excluded: tuple[Excluded, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """The result: `text` is None without a format; `segments` only when asked for."""

    assembled: Assembled
    text: str | None = None
    stops: tuple[str, ...] = ()
    segments: tuple[Segment, ...] | None = None
    findings: tuple[Finding, ...] = ()
    trace: tuple[StageRecord, ...] = ()
