"""Turns: messages with everything decided but the frame around them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from formats.prompt.segments import Segment


@dataclass(slots=True)
class Turn:
    """One frame's worth of content. `index` is the message it begins with, None for a turn the format opens itself."""

    role: str
    pieces: list[Segment]
    index: int | None = None
    name: str | None = None
    tool_calls: list[dict[str, Any]] = field(default_factory=list)
    tools: list[Segment] = field(default_factory=list)
    skills: list[Segment] = field(default_factory=list)
    reasoning: list[Segment] = field(default_factory=list)
    is_open: bool = False
    path: str = ""

    @property
    def text(self) -> str:
        """The content."""
        return "".join([piece.text for piece in self.pieces])

    def append(self, other: Turn, separator: str) -> None:
        """Take in the content of the next turn of the same role."""
        self.pieces = [*self.pieces, markup(separator, "mergeSeparator"), *other.pieces]
        self.tool_calls = [*self.tool_calls, *other.tool_calls]
        self.is_open = other.is_open


def markup(text: str, source: str, index: int | None = None) -> Segment:
    """A segment of the format's own text."""
    return Segment(text, "markup", source, index)


def content(text: str, source: str, index: int | None = None) -> Segment:
    """A segment of the caller's text."""
    return Segment(text, "content", source, index)
