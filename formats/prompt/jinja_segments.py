"""Which stretches of a prompt are the caller's, when a template has laid it out: found by marks in the texts.

The conversation is rendered again with every text between two characters of a private plane. Without the marks the
result must be the prompt, byte for byte; then the marks say where each text stands. A template that looks into its
texts (strips them, searches them, cuts them) may print something else; then the marks move inside the white space, and
then only those texts are marked that bear it. What is not found stays markup, and the caller is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from formats.prompt.jinja_array import Mark
from formats.prompt.segments import CONTENT, MARKUP, Segment

SOURCE: Final = "chatTemplate"
UNKNOWN: Final = "unknown"

# Two private planes, for a conversation that uses the first one itself.
_PLANES: Final = (0xF0000, 0x100000)
_WIDTH: Final = 0xFFFD
_MARKS: Final = {plane: re.compile(f"[{chr(plane)}-{chr(plane + _WIDTH)}]") for plane in _PLANES}
_ONE_BY_ONE: Final = 48

Render = Callable[[Sequence[Mark]], list[str | None]]
"""Renders the conversation once for each way of marking; None where the template refuses."""


def label(text: str, pieces: Sequence[Segment], render: Render) -> list[Segment] | None:
    """`text` in labelled pieces; None when no way of marking gives it back."""
    plane = next((plane for plane in _PLANES if not any(_uses(piece.text, plane) for piece in pieces)), None)
    if plane is None or 2 * len(pieces) > _WIDTH or _uses(text, plane):
        return None
    every = frozenset(range(len(pieces)))
    marks = [_marker(plane, every, outside=True), _marker(plane, every, outside=False)]
    for marked in render(marks):
        if marked is not None and _bare(marked, plane) == text:
            return _labelled(marked, pieces, plane)
    bearing = _bearing(text, len(pieces), plane, render)
    if not bearing:
        return None
    marked = render([_marker(plane, bearing, outside=False)])[0]
    return _labelled(marked, pieces, plane) if marked is not None and _bare(marked, plane) == text else None


def _bearing(text: str, count: int, plane: int, render: Render) -> frozenset[int]:
    """The pieces that may be marked, each tried alone."""
    if not 1 < count <= _ONE_BY_ONE:
        return frozenset()
    outcomes = render([_marker(plane, frozenset([at]), outside=False) for at in range(count)])
    return frozenset(at for at, marked in enumerate(outcomes) if marked is not None and _bare(marked, plane) == text)


def _marker(plane: int, chosen: frozenset[int], *, outside: bool) -> Mark:
    """A way of marking: called for the texts of the array in their order, it counts them."""
    count = -1

    def mark(piece: Segment) -> str:
        nonlocal count
        count += 1
        core = piece.text.strip()
        if count not in chosen or not core:
            return piece.text  # an empty text is something that templates ask about
        start, end = chr(plane + 2 * count), chr(plane + 2 * count + 1)
        if outside:
            return start + piece.text + end
        at = piece.text.index(core)
        return piece.text[:at] + start + core + end + piece.text[at + len(core) :]

    return mark


def _uses(text: str, plane: int) -> bool:
    return not text.isascii() and _MARKS[plane].search(text) is not None


def _bare(marked: str, plane: int) -> str:
    return _MARKS[plane].sub("", marked)


def _labelled(marked: str, pieces: Sequence[Segment], plane: int) -> list[Segment]:
    spans = _spans(marked, pieces, plane)
    text, out, at = _bare(marked, plane), [], 0
    for start, end, number in spans:
        if start < at or end <= start:
            continue
        out.append(Segment(text[at:start], MARKUP, SOURCE, None))
        piece = pieces[number]
        out.append(Segment(text[start:end], CONTENT, piece.source, piece.message_index))
        at = end
    out.append(Segment(text[at:], MARKUP, SOURCE, None))
    return [segment for segment in out if segment.text]


def _spans(marked: str, pieces: Sequence[Segment], plane: int) -> list[tuple[int, int, int]]:
    """Start, end and number of every text that was found, offsets counted without the marks.

    Of a text that the template cut at one side only the other mark is left: as much of it as stands there is its own.
    """
    text = _bare(marked, plane)
    opened: dict[int, int] = {}
    spans: list[tuple[int, int, int]] = []
    for removed, match in enumerate(_MARKS[plane].finditer(marked)):
        place = match.start() - removed
        number, is_end = divmod(ord(match[0]) - plane, 2)
        if not is_end:
            opened[number] = place
            continue
        start = opened.pop(number, None)
        spans.append(
            (place - _common_end(text[:place], pieces[number].text) if start is None else start, place, number)
        )
    for number, place in opened.items():
        spans.append((place, place + _common_start(text[place:], pieces[number].text), number))
    return sorted(spans)


def _common_start(text: str, piece: str) -> int:
    core = piece.lstrip() if text[:1] == piece.lstrip()[:1] else piece
    count = 0
    for left, right in zip(text, core, strict=False):
        if left != right:
            break
        count += 1
    return count


def _common_end(text: str, piece: str) -> int:
    core = piece.rstrip() if text[-1:] == piece.rstrip()[-1:] else piece
    return _common_start(text[::-1], core[::-1])
