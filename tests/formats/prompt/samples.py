"""The smallest format that shows what a test is about, and short ways to write messages."""

from __future__ import annotations

from typing import Any

from formats.prompt import InstructFormat, Message

# One letter a role, so that a rendered prompt reads like a diagram: <s>…> <u>…> <a>…> <t>…>
PLAIN: dict[str, Any] = {
    "kind": "instruct-format",
    "version": 2,
    "id": "plain",
    "name": "Plain",
    "system": "<s>{{{content}}}>",
    "user": "<u>{{{content}}}>",
    "assistant": "<a>{{{content}}}>",
    "tool": "<t>{{{content}}}>",
    "promptSuffix": "<a>",
}
VERSION_1: dict[str, Any] = {
    "id": "old",
    "version": 1,
    "system": "<s>{{content}}>",
    "user": "<u>{{content}}>",
    "assistant": "<a>{{content}}>",
    "tool": "<t>{{content}}>",
    "promptSuffix": "<a>",
    "stopStrings": [">"],
}
_ROLES = {"s": "system", "u": "user", "a": "assistant", "t": "tool"}


def plain(**changes: Any) -> InstructFormat:
    return InstructFormat.model_validate({**PLAIN, **changes})


def chat(*turns: str) -> list[Message]:
    """`chat("s:Be brief", "u:Hi")`."""
    return [Message(_ROLES[turn[0]], turn[2:]) for turn in turns]
