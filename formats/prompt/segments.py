"""`Segment`: a stretch of the rendered prompt, and what it comes from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, cast

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


class _QuickSegment(tuple[str, Kind, str, int | None]):
    """A Segment in all but its constructor: a tuple class without a `__new__` of its own is made in half the time."""

    __slots__ = ()
    __match_args__ = ("text", "kind", "source", "message_index")
    text, kind, source, message_index = Segment.text, Segment.kind, Segment.source, Segment.message_index
    _fields, _asdict = Segment._fields, Segment._asdict

    def __repr__(self) -> str:
        return repr(Segment(*self))

    def _replace(self, **changes: Any) -> Segment:
        return Segment(*self)._replace(**changes)


# Takes the four fields as one tuple.
quick_segment = cast("Callable[[tuple[str, Kind, str, int | None]], Segment]", _QuickSegment)


def joined(segments: list[Segment]) -> str:
    """The text of the segments."""
    return "".join([segment.text for segment in segments])
