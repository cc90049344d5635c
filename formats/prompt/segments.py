"""`Segment`: a stretch of the rendered prompt, and what it comes from."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Kind = Literal["markup", "content"]
MARKUP: Final = "markup"
CONTENT: Final = "content"


class Segment(NamedTuple):
    """`kind` is `markup` (the format's own text) or `content` (the caller's).

    `source` names the field of the format for markup (`user`, `bos`, `promptSuffix`, `separator`, …) and the origin
    for content (`history`, `character`, `prefill`, `tools`, …). `message_index` counts the messages as they were
    given; None for what belongs to no message.
    """

    text: str
    kind: Kind
    source: str
    message_index: int | None


def joined(segments: list[Segment]) -> str:
    """The text of the segments."""
    return "".join([segment.text for segment in segments])
