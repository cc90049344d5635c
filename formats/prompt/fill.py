"""Putting a frame around labelled content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.prompt.facts import FACTS
from formats.prompt.frames import Frame
from formats.prompt.segments import Segment, joined
from formats.prompt.turns import content, markup

# Said by the runtime, not by the caller.
_MARKUP: Final = frozenset({*FACTS, "role"})
# Structured values, and whose they are.
_OWNERS: Final = {
    "definition": "tools", "function": "tools", "name": "name", "description": "tools", "parameters": "tools",
    "args": "toolCalls",
}  # fmt: skip


def fill(
    frame: Frame,
    inside: Mapping[str, list[Segment]],
    others: Mapping[str, Any] | None = None,
    *,
    index: int | None = None,
    is_open: bool = False,
) -> list[Segment]:
    """The frame's segments: `inside` holds labelled values, `others` plain ones.

    A value that the template prints as it is keeps its labels; one that a helper changed becomes a single segment.
    """
    context: dict[str, Any] = {variable: joined(segments) for variable, segments in inside.items()}
    filled: list[Segment] = []
    for text, variable in frame.pieces(context | dict(others or {}), is_open=is_open):
        if not text:
            continue
        if variable is None or variable in _MARKUP:
            filled.append(markup(text, frame.path, index))
        elif variable in inside and context[variable] == text:
            filled.extend(segment for segment in inside[variable] if segment.text)
        else:
            labels = inside.get(variable)
            filled.append(content(text, labels[0].source if labels else _OWNERS.get(variable, variable), index))
    return filled


def join_segments(items: list[list[Segment]], joiner: str, source: str) -> list[Segment]:
    """The items one after the other, the joiner between them."""
    out: list[Segment] = []
    for item in items:
        if out and joiner:
            out.append(markup(joiner, source))
        out.extend(item)
    return out
