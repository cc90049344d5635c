"""The prompt as HTML whose text is exactly the prompt: the style sheet draws the marks, so a copy has none of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from chats.web.places import LABELS, label_of
from formats.prompt.segments import Segment

MOST_MARKED = 200_000
"""Characters up to which white space and tokens are marked; past it only the segments are."""

MOST_SPACES = 80
ODD = {
    "\u00a0": "NBSP", "\u00ad": "SHY", "\u200b": "ZWSP", "\u200e": "LRM", "\u200f": "RLM", "\u2028": "LS",
    "\u2029": "PS", "\u202a": "LRE", "\u202b": "RLE", "\u202c": "PDF", "\u202d": "LRO", "\u202e": "RLO",
    "\u2060": "WJ", "\u2066": "LRI", "\u2067": "RLI", "\u2068": "FSI", "\u2069": "PDI", "\ufeff": "BOM",
}  # fmt: skip
NEWLINE = mark_safe('<i class="nl">\n</i>')
# HTML parsers turn a literal carriage return into a newline; the reference survives
CARRIAGE_RETURN = mark_safe('<i class="cr">&#13;</i>')
TAB = mark_safe('<i class="tab">\t</i>')


@dataclass(frozen=True, slots=True)
class Marker:
    """Marks the tokens of one format."""

    pattern: re.Pattern[str]
    tokens: frozenset[str]

    @classmethod
    def of(cls, tokens: Sequence[str]) -> Marker:
        """Return a marker for `tokens`; a longer token wins over one that it begins with."""
        known = sorted({token for token in tokens if token.strip()}, key=len, reverse=True)
        parts = [*(re.escape(token) for token in known), r"[\n\r\t]", " +", f"[{''.join(ODD)}]", r"[\x00-\x1f\x7f]"]
        return cls(re.compile("|".join(parts)), frozenset(known))

    def html(self, text: str, *, is_content: bool) -> SafeString:
        """Return `text` with its tokens as pills and its white space in elements of their own."""
        parts: list[SafeString | str] = []
        last = 0
        for found in self.pattern.finditer(text):
            parts.append(text[last : found.start()])
            parts.append(self._piece(text, found, is_content=is_content))
            last = found.end()
        parts.append(text[last:])
        return format_html_join("", "{}", ((part,) for part in parts if part))

    def _piece(self, text: str, found: re.Match[str], *, is_content: bool) -> SafeString | str:
        piece = found[0]
        if piece in self.tokens:
            return format_html('<span class="{}">{}</span>', "danger" if is_content else "sp", piece)
        if piece[0] == " ":
            return format_html('<i class="ws">{}</i>', piece) if _is_outer(text, found) else piece
        special = {"\n": NEWLINE, "\r": CARRIAGE_RETURN, "\t": TAB}.get(piece)
        if special is not None:
            return special
        return format_html('<i class="odd" data-mark="{}">{}</i>', ODD.get(piece, f"{ord(piece):02X}"), piece)


def _is_outer(text: str, found: re.Match[str]) -> bool:
    """Return whether spaces stand at the edge of a line or segment, or more than one in a row."""
    start, end = found.span()
    if end - start > MOST_SPACES:
        return False
    before, after = text[start - 1 : start], text[end : end + 1]
    return end - start > 1 or before in ("", "\n") or after in ("", "\n")


def prompt_html(segments: Sequence[Segment], tokens: Sequence[str], messages: Sequence[dict[str, Any]]) -> SafeString:
    """Return the labelled prompt. Its text content is the joined text of the segments."""
    is_marked = sum(len(segment.text) for segment in segments) <= MOST_MARKED
    marker = Marker.of(tokens if is_marked else ())
    return format_html_join(
        "",
        '<span class="seg {}" data-turn="{}" data-field="{}" data-origin="{}">{}</span>',
        (_attributes(segment, messages, marker, is_marked=is_marked) for segment in segments if segment.text),
    )


def _attributes(
    segment: Segment, messages: Sequence[dict[str, Any]], marker: Marker, *, is_marked: bool
) -> tuple[str, str, str, str, SafeString]:
    is_content = segment.kind == "content"
    inner = marker.html(segment.text, is_content=is_content) if is_marked else plain_html(segment.text)
    turn = str(segment.message_index) if segment.message_index is not None else f"x-{segment.source}"
    return "ct" if is_content else "mk", turn, field_of(segment), origin_of(segment, messages), inner


def plain_html(text: str) -> SafeString:
    """Return long text without marks; only carriage returns need an element."""
    return format_html_join(CARRIAGE_RETURN, "{}", ((part,) for part in text.split("\r")))


def field_of(segment: Segment) -> str:
    """Return the field of the format that a piece comes from, empty for the caller's own text."""
    is_field = segment.kind == "markup" or segment.source in LABELS
    return segment.source if is_field else ""


def origin_of(segment: Segment, messages: Sequence[dict[str, Any]]) -> str:
    """Return in words where a piece comes from."""
    number = segment.message_index
    what = _("%(field)s (%(path)s)") % {"field": label_of(segment.source), "path": segment.source}
    if segment.kind == "content":
        what = _content_origin(segment.source)
    if number is None:
        return what
    role = messages[number].get("role", "") if number < len(messages) else ""
    return _("%(what)s · message %(n)d, %(role)s") % {"what": what, "n": number + 1, "role": role}


def _content_origin(source: str) -> str:
    words = {
        "history": _("text of the conversation"),
        "prefill": _("prefill"),
        "tools": _("list of tools"),
        "skills": _("list of skills"),
        "defaultSystem": _("default system text (defaultSystem)"),
        "fillerUser": _("filler turn (fillerUser)"),
    }
    return words.get(source, source)
