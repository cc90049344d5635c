"""Modes, stops and messages: the tables of the contract, line by line."""

from __future__ import annotations

from typing import Any

import pytest

from chats.providers.mode import ModeChoice, choose_mode
from chats.providers.names import CHAT_ADAPTERS, TEXT_ADAPTERS
from chats.providers.serialise import chat_messages, text_messages
from chats.providers.stops import merge_stops
from formats.prompt.errors import RenderRefused
from formats.prompt.message import Message

N = None
MODES: list[tuple[str, bool | None, bool | None, bool, tuple[str, bool, list[str]]]] = [
    # provider, asked, stored, has a format → mode, needs the default format, findings
    ("text", N, N, True, ("text", False, [])),
    ("text", N, N, False, ("text", True, ["DEFAULT_FORMAT_USED"])),
    ("text", True, N, True, ("text", False, [])),
    ("text", N, False, True, ("text", False, [])),
    ("chat", N, N, True, ("chat", False, ["FORMAT_NOT_APPLIED"])),
    ("chat", N, N, False, ("chat", False, [])),
    ("chat", False, True, True, ("chat", False, ["FORMAT_NOT_APPLIED"])),
    ("chat", True, N, True, ("text", False, ["DOUBLE_TEMPLATING"])),
    ("chat", True, False, False, ("text", True, ["DOUBLE_TEMPLATING", "DEFAULT_FORMAT_USED"])),
    ("chat", N, True, True, ("text", False, ["DOUBLE_TEMPLATING"])),
    ("none", N, N, True, ("text", False, [])),
    ("none", N, N, False, ("chat", False, [])),
    ("none", True, N, False, ("text", True, ["DEFAULT_FORMAT_USED"])),
    ("none", False, N, True, ("chat", False, ["FORMAT_NOT_APPLIED"])),
    ("none", N, False, True, ("chat", False, ["FORMAT_NOT_APPLIED"])),
    ("none", N, True, False, ("text", True, ["DEFAULT_FORMAT_USED"])),
]
PROVIDERS = {"text": sorted(TEXT_ADAPTERS), "chat": sorted(CHAT_ADAPTERS), "none": [None]}


def seen(choice: ModeChoice) -> tuple[str, bool, list[str]]:
    return choice.mode, choice.needs_default, [finding.code for finding in choice.findings]


@pytest.mark.parametrize(("kind", "asked", "stored", "has_format", "expected"), MODES)
def test_mode(kind: str, asked: Any, stored: Any, has_format: bool, expected: Any) -> None:
    for provider in PROVIDERS[kind]:
        assert seen(choose_mode(provider=provider, asked=asked, stored=stored, has_format=has_format)) == expected


@pytest.mark.parametrize("provider", sorted(TEXT_ADAPTERS))
def test_an_array_for_a_text_adapter_is_refused(provider: str) -> None:
    with pytest.raises(RenderRefused) as caught:
        choose_mode(provider=provider, asked=False, stored=None, has_format=True)
    assert (caught.value.code, caught.value.path) == ("RENDER_REFUSED", "serializeAsText")


def test_stops_first_occurrence_wins_and_empty_ones_are_dropped() -> None:
    assert merge_stops(["A", "", "B"], [], ["B", "C", "A", ""]) == ["A", "B", "C"]
    assert merge_stops() == []


def test_text_mode_is_one_user_message() -> None:
    assert text_messages("abc") == [{"role": "user", "content": "abc"}]


def test_an_array_keeps_what_has_a_value_and_drops_what_is_excluded() -> None:
    wire = [{"role": "user", "content": "a", "id": "1", "name": ""}, {"role": "user", "content": "b", "excluded": True}]
    messages = Message.read_all(wire)
    assert chat_messages(messages, prefill="", is_continued=False) == [{"role": "user", "content": "a"}]


@pytest.mark.parametrize(
    ("last", "is_continued", "expected"),
    [
        ({"role": "assistant", "content": "a"}, False, [{"content": "a"}, {"content": "p"}]),
        ({"role": "assistant", "content": "a"}, True, [{"content": "ap"}]),
        ({"role": "assistant", "content": ""}, True, [{"content": "p"}]),
        (
            {"role": "assistant", "content": [{"type": "text", "text": "a"}]},
            True,
            [{"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "p"}]}],
        ),
        (
            {"role": "assistant", "tool_calls": [{"function": {"name": "f"}}]},
            True,
            [{"tool_calls": [{"function": {"name": "f"}}]}, {"content": "p"}],
        ),
    ],
)
def test_prefill(last: dict[str, Any], is_continued: bool, expected: list[dict[str, Any]]) -> None:
    array = chat_messages(Message.read_all([last]), prefill="p", is_continued=is_continued)
    assert array == [{"role": "assistant", **message} for message in expected]
