"""Text to tree in one pass with a stack of its own, so that neither length nor nesting of a text can hurt."""

from __future__ import annotations

import re

from chats.macros.blocks import grouped
from chats.macros.limits import MAX_NESTING
from chats.macros.tree import Escape, Frame, Node, Part, TooDeep, height

TOKEN = re.compile(r"\\\{\\?\{|\\\}\\?\}|\{\{+|\}\}|<(?:USER|BOT|CHAR|CHARIFNOTGROUP|GROUP)>")
TAGS = {"<USER>": "user", "<BOT>": "char", "<CHAR>": "char", "<CHARIFNOTGROUP>": "charifnotgroup", "<GROUP>": "group"}
"""Legacy tags, in capitals only: `<user>` is how many prompts mark a section."""

HEAD = re.compile(
    r"\s*(?P<name>///(?=\s*\Z)|//|(?i:time_utc)(?=[+-])|[/#]?[^\W\d]\w*|[.$](?=\s*[^\W\d]))"
    r"(?P<space>\s*)(?P<separator>::?)?"
)
GLUED = {"//", "///", "time_utc", ".", "$"}
"""Names whose arguments may follow at once."""


class Parser:
    """Reads one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._stack = [Frame(0)]
        self._place = 0

    def parse(self) -> list[Part]:
        """Return the parts of the text. What is never closed is text."""
        for match in TOKEN.finditer(self._text):
            self._literal(match.start())
            self._token(match.group(), match.start())
            self._place = match.end()
        self._literal(len(self._text))
        parts: list[Part] = []
        for number, frame in enumerate(self._stack):
            if number:
                parts.append("{{")
            parts.extend(frame.parts)
        return grouped(parts)

    def _literal(self, end: int) -> None:
        if end > self._place:
            self._stack[-1].parts.append(self._text[self._place : end])

    def _token(self, mark: str, start: int) -> None:
        if mark[0] == "{":
            self._open(mark, start)
        elif mark == "}}":
            self._close(start + 2)
        elif mark[0] == "<":
            self._stack[-1].parts.append(Node(start, start + len(mark), [], name=TAGS[mark]))
        elif mark[1] == "{":
            self._stack[-1].escaped += 1
            self._stack[-1].parts.append(Escape(mark, "{{"))
        else:
            self._escaped_close(mark, start)

    def _open(self, braces: str, start: int) -> None:
        """Open as many macros as there are pairs; `{{{user}}}` is a macro in braces, so the odd one is text."""
        odd = len(braces) % 2
        if odd:
            self._stack[-1].parts.append("{")
        self._stack.extend(Frame(start + odd + 2 * pair) for pair in range(len(braces) // 2))

    def _close(self, end: int) -> None:
        top = self._stack[-1]
        if len(self._stack) == 1 or top.escaped:
            top.escaped = max(0, top.escaped - 1)
            top.parts.append("}}")
            return
        frame = self._stack.pop()
        parts = grouped(frame.parts)
        tall = height(parts) + 1
        self._stack[-1].parts.append(
            TooDeep(frame.start, end, tall) if tall > MAX_NESTING else node_of(frame.start, end, parts, tall)
        )

    def _escaped_close(self, mark: str, start: int) -> None:
        r"""Take `\}\}` and `\}}` for braces only where braces were escaped before: LaTeX is full of them."""
        top = self._stack[-1]
        if top.escaped or (mark == r"\}\}" and len(self._stack) > 1):
            top.escaped = max(0, top.escaped - 1)
            top.parts.append(Escape(mark, "}}"))
        elif mark == r"\}}":
            top.parts.append("\\")
            self._close(start + len(mark))
        else:
            top.parts.append(mark)


def node_of(start: int, end: int, parts: list[Part], tall: int = 1) -> Node:
    """Return a macro with its name told from its arguments."""
    first = parts[0] if parts and isinstance(parts[0], str) else ""
    match = HEAD.match(first)
    if match is None or not _stands_alone(match, first, len(parts)):
        return Node(start, end, parts, height=tall)
    separators = first.count("::", match.end()) + sum(part.count("::") for part in parts[1:] if isinstance(part, str))
    has_arguments = match["separator"] is not None or match.end() < len(first) or len(parts) > 1
    return Node(start, end, parts, match["name"].casefold(), match.end(), has_arguments, separators, tall)


def _stands_alone(match: re.Match[str], first: str, parts: int) -> bool:
    """Whether the name ends where it was cut: `{{user's}}` and `{{user{{x}}}}` are other names."""
    if match["space"] or match["separator"] or match["name"].casefold() in GLUED:
        return True
    return match.end() == len(first) and parts == 1
