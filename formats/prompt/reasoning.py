"""Reasoning that stands inside a content, between the format's marks: `<think>…</think>answer`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formats.prompt.segments import Segment
from formats.prompt.turns import Turn

if TYPE_CHECKING:
    from formats.prompt.sections import Reasoning

_STRIPPED = {"exact": "", "lines": "\n", "blanks": None}


def take_reasoning(turn: Turn, spec: Reasoning) -> str:
    """The reasoning inside the turn's content, which it leaves; empty when there is none.

    The content is what follows the last end mark, the reasoning what stands before the first one.
    """
    end = spec.end.strip()
    if spec.parse is None or not end or len(turn.pieces) != 1 or end not in turn.pieces[0].text:
        return ""
    piece, chars = turn.pieces[0], _STRIPPED[spec.parse]
    thought = piece.text.split(end)[0]
    start = spec.start.strip()
    if start:
        thought = thought.split(start)[-1]
    turn.pieces = [_stripped(piece._replace(text=piece.text.split(end)[-1]), chars)]
    return thought.strip(chars) if chars != "" else thought


def _stripped(piece: Segment, chars: str | None) -> Segment:
    return piece if chars == "" else piece._replace(text=piece.text.lstrip(chars))
