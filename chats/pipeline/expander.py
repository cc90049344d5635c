"""Expands texts in one scope, and keeps what there is to say about them, each thing once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from chats.macros import MacroScope, expand
from formats.prompt.findings import Finding
from formats.prompt.message import Message

MAX_FINDINGS: Final = 100
"""Findings of one render: a chat says the same thing many times."""

LEGACY: Final = re.compile(r"<(?:USER|BOT|CHAR|GROUP|CHARIFNOTGROUP)>")


def may_have_macros(text: str) -> bool:
    """Return whether expanding `text` can change it: what most texts do not need is asked cheaply."""
    if "{" in text and ("{{" in text or "\\{" in text):
        return True
    return "<" in text and LEGACY.search(text) is not None


class Expander:
    """Expands with one scope. `findings` collects, the same remark about the same macro once."""

    def __init__(self, scope: MacroScope, seen: dict[tuple[str, str], Finding] | None = None) -> None:
        self.scope = scope
        self._seen: dict[tuple[str, str], Finding] = {} if seen is None else seen

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What there is to say, in the order in which it was found."""
        return tuple(self._seen.values())

    def with_scope(self, scope: MacroScope) -> Expander:
        """Return one that knows more and collects in the same place."""
        return Expander(scope, self._seen)

    def text(self, text: str, path: str) -> str:
        """Return `text` expanded."""
        if not may_have_macros(text):
            return text
        made = expand(text, self.scope, path=path)
        for found in made.findings:
            if len(self._seen) < MAX_FINDINGS:
                self._seen.setdefault((found.code, str(found.data.get("macro", ""))), found)
        return made.text

    def message(self, message: Message, path: str) -> Message:
        """Return `message` with its text, or each of its text parts, expanded; the same object when nothing changes."""
        if message.parts is not None:
            parts = tuple(
                {**part, "text": self.text(part["text"], f"{path}[{at}].text")} if part.get("type") == "text" else part
                for at, part in enumerate(message.parts)
            )
            return message if parts == message.parts else message.replace(parts=parts)
        body = message.body
        if not body or not may_have_macros(body):
            return message
        made = self.text(body, path)
        return message if made == body else message.replace(text=made)


def needs_macros(message: Message) -> bool:
    """Return whether a message has a text that expanding can change."""
    if message.parts is not None:
        return any(may_have_macros(part["text"]) for part in message.parts if part.get("type") == "text")
    return bool(message.body) and may_have_macros(message.body or "")


Expand = Callable[[str, str], str]
"""A text and its path → the text expanded."""
