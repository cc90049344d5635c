"""Where each message's content stands in the prompt: what a training pipeline masks its loss with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from formats.prompt.message import Message
from formats.prompt.segments import Segment


def spans_of(segments: Sequence[Segment], messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return a span for each stretch of content of one message, in code points, `end` excluded.

    An assistant's content is trainable. Markup between two stretches of one message ends the first.
    """
    spans: list[dict[str, Any]] = []
    position = 0
    for segment in segments:
        end = position + len(segment.text)
        if segment.kind == "content" and segment.message_index is not None:
            _extend(spans, segment.message_index, position, end, messages)
        position = end
    return spans


def _extend(spans: list[dict[str, Any]], message: int, start: int, end: int, messages: Sequence[Message]) -> None:
    if spans and spans[-1]["message"] == message and spans[-1]["end"] == start:
        spans[-1]["end"] = end
        return
    trainable = messages[message].role == "assistant"
    spans.append({"message": message, "start": start, "end": end, "trainable": trainable})
