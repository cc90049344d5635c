"""Differences as HTML: words inserted and deleted, white space visible, the rest folded away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from neotavern.library import diff
from neotavern.library.diff import Row, Span

CONTEXT = 3
"""Equal lines that stay in sight on each side of a change."""

ODD = {
    "\u00a0": "NBSP", "\u00ad": "SHY", "\u200b": "ZWSP", "\u200e": "LRM", "\u200f": "RLM", "\u2028": "LS",
    "\u2029": "PS", "\u202a": "LRE", "\u202b": "RLE", "\u202c": "PDF", "\u202d": "LRO", "\u202e": "RLO",
    "\u2060": "WJ", "\u2066": "LRI", "\u2067": "RLI", "\u2068": "FSI", "\u2069": "PDI", "\ufeff": "BOM",
}  # fmt: skip
ELEMENTS = {"insert": "ins", "delete": "del"}
MOST_SPACES = 200
_MARKED = re.compile(rf"[\r\t\n]| +|[{''.join(ODD)}]|[\x00-\x1f\x7f]")
_SPECIAL = {
    "\n": mark_safe('<i class="nl">\n</i>'),
    "\r": mark_safe('<i class="cr">&#13;</i>'),
    "\t": mark_safe('<i class="tab">\t</i>'),
}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of one side: its number, its marked text, and whether a newline ends it. `is_there` is False for a gap."""

    number: int | None
    html: SafeString
    has_newline: bool
    is_changed: bool

    @property
    def is_there(self) -> bool:
        """Whether the side has such a line."""
        return self.number is not None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two lines that face each other."""

    left: Line
    right: Line


@dataclass(frozen=True, slots=True)
class Stretch:
    """Pairs that are shown, or equal ones that are folded away."""

    pairs: list[Pair]
    is_folded: bool


def side_by_side(before: str | None, after: str | None) -> list[Stretch]:
    """Return two texts as facing lines, words marked; long equal stretches folded. None is a text that is not there."""
    if before is None or after is None:
        return [Stretch(_one_sided(before, after), is_folded=False)]
    rows = diff.side_by_side(before, after)
    last_left, last_right = before.count("\n") + 1, after.count("\n") + 1
    return [
        Stretch([_pair(row, last_left, last_right) for row in part], is_folded=folded) for part, folded in _folded(rows)
    ]


def _one_sided(before: str | None, after: str | None) -> list[Pair]:
    text, op = (after or "", "insert") if before is None else (before, "delete")
    lines = text.split("\n")
    pairs = []
    for number, line in enumerate(lines, 1):
        there = Line(number, spans_html([Span(op, line)]), number < len(lines), is_changed=True)  # type: ignore[arg-type]
        pairs.append(Pair(NO_LINE, there) if before is None else Pair(there, NO_LINE))
    return pairs


def _pair(row: Row, last_left: int, last_right: int) -> Pair:
    changed = not row.is_equal
    left = Line(row.left_number, spans_html(row.left), row.left_number != last_left, changed)
    right = Line(row.right_number, spans_html(row.right), row.right_number != last_right, changed)
    return Pair(left if left.is_there else NO_LINE, right if right.is_there else NO_LINE)


NO_LINE = Line(None, SafeString(""), has_newline=False, is_changed=True)


def _folded(rows: Sequence[Row]) -> list[tuple[Sequence[Row], bool]]:
    """Cut rows into stretches; of a long equal one only the lines next to a change stay."""
    parts: list[tuple[Sequence[Row], bool]] = []
    start = 0
    while start < len(rows):
        end = start
        while end < len(rows) and rows[end].is_equal == rows[start].is_equal:
            end += 1
        above = CONTEXT if start else 0
        below = CONTEXT if end < len(rows) else 0
        if rows[start].is_equal and end - start > above + below + 2:
            cuts = [(start, start + above, False), (start + above, end - below, True), (end - below, end, False)]
            parts += [(rows[a:b], folded) for a, b, folded in cuts if a < b]
        else:
            parts.append((rows[start:end], False))
        start = end
    return parts


def spans_html(spans: Iterable[Span]) -> SafeString:
    """Return spans with inserted and deleted ones in elements of their own."""
    return format_html_join("", "{}", ((_span(span),) for span in spans if span.text))


def _span(span: Span) -> SafeString:
    element = ELEMENTS.get(span.op)
    text = visible(span.text)
    return text if element is None else format_html(f"<{element}>{{}}</{element}>", text)


def visible(text: str) -> SafeString:
    """Return text whose white space the style sheet can draw; a selection copies the very characters."""
    parts: list[SafeString | str] = []
    last = 0
    for found in _MARKED.finditer(text):
        parts += [text[last : found.start()], _mark(text, found)]
        last = found.end()
    parts.append(text[last:])
    return format_html_join("", "{}", ((part,) for part in parts if part))


def _mark(text: str, found: re.Match[str]) -> SafeString | str:
    piece = found[0]
    if piece[0] == " ":
        is_outer = found.start() == 0 or found.end() == len(text) or len(piece) > 1
        return format_html('<i class="ws">{}</i>', piece) if is_outer and len(piece) <= MOST_SPACES else piece
    if piece in _SPECIAL:
        return _SPECIAL[piece]
    return format_html('<i class="odd" data-mark="{}">{}</i>', ODD.get(piece, f"{ord(piece):02X}"), piece)
