"""White space: what `{{trim}}` takes away, and how the text of a block loses its indentation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from typing import TypeAlias

from chats.macros.tree import Part

NEWLINES = "\r\n"
MAX_MARGIN = 200
INDENT = re.compile(r"\n([ \t]*)(?![ \t\r\n])")


class Mark(Enum):
    """What stays of `{{trim}}` and `{{noop}}` until the text is put together."""

    TRIM = "trim"
    NOOP = "noop"


Fragment: TypeAlias = "str | Mark"


def assembled(fragments: Iterable[Fragment]) -> str:
    """Join; a `TRIM` takes the line breaks on both sides away, up to a `NOOP`."""
    out: list[Fragment] = []
    trims_ahead = False
    for fragment in fragments:
        if fragment is Mark.TRIM:
            _trim_end(out)
            trims_ahead = True
        elif fragment is Mark.NOOP:
            out.append(fragment)
            trims_ahead = False
        elif isinstance(fragment, str):
            kept = fragment.lstrip(NEWLINES) if trims_ahead else fragment
            trims_ahead = trims_ahead and not kept
            out.append(kept)
    return "".join(fragment for fragment in out if isinstance(fragment, str))


def _trim_end(out: list[Fragment]) -> None:
    while out and isinstance(last := out[-1], str):
        kept = last.rstrip(NEWLINES)
        if kept:
            out[-1] = kept
            return
        out.pop()


def tidied(parts: list[Part]) -> list[Part]:
    """Return a block's body without the white space typed at its ends and its common indentation.

    Only what was typed is touched: the value of a macro keeps its white space.
    """
    kept = list(parts)
    if kept and isinstance(last := kept[-1], str):
        kept[-1] = last.rstrip()
    widths = [len(match[1]) for part in kept if isinstance(part, str) for match in INDENT.finditer(part)]
    margin = min(widths, default=0)
    if margin:
        indent = re.compile(rf"\n[ \t]{{0,{min(margin, MAX_MARGIN)}}}")
        kept = [indent.sub("\n", part) if isinstance(part, str) else part for part in kept]
    if kept and isinstance(first := kept[0], str):
        kept[0] = first.lstrip()
    return kept
