"""Literal text as Handlebars source, and what the markup of a format tells: special tokens, stop strings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from formats.prompt.fields import STOP_LENGTH, STOP_LIMIT

CONTENT: Final = "{{{content}}}"
_BRACE: Final = '{{{default "{" ""}}}'
_TOKEN: Final = re.compile(
    r"<\|[^|<>{}\s]{1,64}\|>|<｜[^｜<>{}\s]{1,64}｜>|</?s>|<bos>|<eos>|<(?:start|end)_of_turn>"
    r"|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]|<</?SYS>>"
)


def literal(text: str, *, after: bool = False, before: bool = False) -> str:
    """Return Handlebars source that prints `text` as it is; `after`, `before`: it stands right beside a tag.

    A brace that would open or close a tag is printed by a helper; a backslash before a tag is doubled.
    """
    tail = r"\Z" if before else r"(?!)"
    text = re.sub(rf"\\(?=\{{\{{|\{{?{tail})", r"\\\\", text)
    text = re.sub(rf"\{{(?=\{{|{tail})", _BRACE, text)
    return re.sub(r"\A\}+", _closing, text) if after else text


GUARD: Final = '{{{default "" ""}}}'
"""Prints nothing. A tag alone on its line takes the line's end with it; beside this one it is not alone."""


def choice(condition: str, then: str, otherwise: str = "") -> str:
    """Return a template that prints one of two templates, their line ends included."""
    sides = f"{{{{else}}}}{_guarded(otherwise)}" if otherwise else ""
    return f"{{{{#if {condition}}}}}{_guarded(then)}{sides}{{{{/if}}}}"


def _guarded(source: str) -> str:
    start = GUARD if re.match(r"[ \t]*\r?\n", source) else ""
    end = GUARD if re.search(r"\n[ \t]*\Z", source) else ""
    return f"{start}{source}{end}"


def _closing(match: re.Match[str]) -> str:
    return f'{{{{{{default "{match[0]}" ""}}}}}}'


def framed(before: str, after: str) -> str:
    """Return the template of a role: literal text around the content."""
    return f"{literal(before, before=True)}{CONTENT}{literal(after, after=True)}"


def tokens_in(sources: Iterable[str]) -> list[str]:
    """Return what looks like a special token, each once, in order."""
    found = [match[0] for source in sources for match in _TOKEN.finditer(source)]
    return list(dict.fromkeys(found))[:STOP_LIMIT]


def opens_with_token(text: str) -> bool:
    """Return whether `text` begins with a special token."""
    return _TOKEN.match(text.strip()) is not None


def stops_of(texts: Iterable[str]) -> list[str]:
    """Return stop strings as a format may hold them: each once, none of blanks alone, none too long."""
    kept = [text for text in texts if text.strip() and len(text) <= STOP_LENGTH]
    return list(dict.fromkeys(kept))[:STOP_LIMIT]
