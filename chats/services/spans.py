"""Where each message's content stands in the prompt: what a training pipeline masks its loss with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from formats.prompt.segments import Segment


def spans_of(segments: Sequence[Segment], roles: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return a span for each stretch of content of one message, in code points, `end` excluded.

    `roles` are those of the messages by their places. An assistant's content is trainable. Markup between two stretches
    of one message ends the first.
    """
    spans: list[dict[str, Any]] = []
    position = 0
    for segment in segments:
        end = position + len(segment.text)
        if segment.kind == "content" and segment.message_index is not None:
            _extend(spans, segment.message_index, position, end, roles)
        position = end
    return spans


def _extend(spans: list[dict[str, Any]], message: int, start: int, end: int, roles: Mapping[int, str]) -> None:
    if spans and spans[-1]["message"] == message and spans[-1]["end"] == start:
        spans[-1]["end"] = end
        return
    trainable = roles[message] == "assistant"
    spans.append({"message": message, "start": start, "end": end, "trainable": trainable})
