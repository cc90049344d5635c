"""Jinja source by small pieces: tags without white space around them, and literals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

_ESCAPES: Final[Mapping[str, str]] = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED: Final = re.compile(r"[\\'\n\r\t]")


class CannotSay(Exception):
    """Jinja, as chat templates have it, has no words for this."""


def quoted(text: str) -> str:
    """Return `text` as a Jinja string."""
    return "'" + _ESCAPED.sub(lambda match: _ESCAPES[match[0]], text) + "'"


def tag(statement: str) -> str:
    """Return a statement that leaves nothing of the white space around it."""
    return "{%- " + statement + " -%}\n"


def put(name: str, value: str) -> str:
    """Return an assignment."""
    return tag(f"set {name} = {value}")


def prints(expression: str) -> str:
    """Return what prints an expression."""
    return "{{- " + expression + " -}}\n"


def prints_text(text: str) -> str:
    """Return what prints a literal; nothing for an empty one."""
    return prints(quoted(text)) if text else ""


def when(condition: str, then: str, otherwise: str = "") -> str:
    """Return a choice; nothing when neither side does anything."""
    if not then and not otherwise:
        return ""
    if not then:
        return tag(f"if not ({condition})") + otherwise + tag("endif")
    return tag(f"if {condition}") + then + ((tag("else") + otherwise) if otherwise else "") + tag("endif")


def choose(branches: Iterable[tuple[str, str]], otherwise: str = "") -> str:
    """Return the first branch whose condition holds, else `otherwise`."""
    out, word = "", "if"
    for condition, then in branches:
        out += tag(f"{word} {condition}") + then
        word = "elif"
    if not out:
        return otherwise
    return out + ((tag("else") + otherwise) if otherwise else "") + tag("endif")


def loop(variable: str, over: str, body: str) -> str:
    """Return a loop."""
    return tag(f"for {variable} in {over}") + body + tag("endfor")


def capture(name: str, body: str) -> str:
    """Return what keeps the text that `body` prints."""
    return tag(f"set {name}") + body + tag("endset")


def refuse(why: str) -> str:
    """Return what ends the render with a reason, as chat templates do."""
    return prints(f"raise_exception({quoted(why)})")
