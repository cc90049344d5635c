"""A name that no template prints is told once, whichever way the prompt is made."""

from __future__ import annotations

from typing import Any

import pytest

from formats.prompt import InstructFormat, Message, render
from tests.formats.prompt.samples import PLAIN

NAMED = [
    Message("user", "Hi", name="Tom"),
    Message("assistant", "Yo", name="Mira"),
    Message("tool", "12", name="clock"),
]


def codes(messages: list[Message], **fields: Any) -> list[tuple[str, str, str]]:
    found = render(InstructFormat.model_validate({**PLAIN, **fields}), messages).findings
    return [(one.severity, one.code, one.path) for one in found]


LOST = [("info", "NAME_NOT_PLACED", "messages[0].name")]


@pytest.mark.parametrize("fields", [{}, {"alternation": "merge"}])
def test_names_that_are_lost(fields: dict[str, Any]) -> None:
    assert codes(NAMED, **fields) == LOST


def test_how_many() -> None:
    (found,) = render(InstructFormat.model_validate(PLAIN), NAMED).findings
    assert found.message == "The format prints no names, and 2 messages have one: set `names` to `prefix` to have them."
    (found,) = render(InstructFormat.model_validate(PLAIN), NAMED[:1]).findings
    assert found.message == "The format prints no names, and a message has one: set `names` to `prefix` to have them."


@pytest.mark.parametrize("fields", [{"names": "prefix"}, {"names": "none"}, {"user": "{{name}}: {{content}}"}])
def test_names_that_are_printed_or_left_out_on_purpose(fields: dict[str, Any]) -> None:
    assert codes(NAMED, **fields) == []


def test_a_tool_s_name_is_no_speaker() -> None:
    assert codes(NAMED[2:]) == []
