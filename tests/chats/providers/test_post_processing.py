"""Post-processing: one array in the shape that each mode promises, with nothing lost on the way."""

from __future__ import annotations

from typing import Any

import pytest

from chats.providers.post_processing import PLACEHOLDER, post_process
from chats.providers.requests import Served, provider_request
from chats.providers.serialise import chat_messages
from formats.prompt.message import Message

Pair = tuple[str, Any]


def array(*pairs: Pair) -> list[dict[str, Any]]:
    return [{"role": role, "content": content} for role, content in pairs]


def pairs(messages: list[dict[str, Any]]) -> list[Pair]:
    return [(one["role"], one.get("content")) for one in messages]


MIXED = [
    *array(
        ("system", "s1"), ("system", "s2"), ("assistant", "greet"), ("user", "u1"), ("system", "mid"), ("tool", "t")
    ),
    {"role": "assistant", "content": "a", "name": "Zed"},
    *array(("system", "end")),
]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (
            "merge",
            [
                ("system", "s1\n\ns2"),
                ("assistant", "greet"),
                ("user", "u1"),
                ("system", "mid"),
                ("user", "t"),
                ("assistant", "Zed: a"),
                ("system", "end"),
            ],
        ),
        (
            "merge_tools",
            [
                ("system", "s1\n\ns2"),
                ("assistant", "greet"),
                ("user", "u1"),
                ("system", "mid"),
                ("tool", "t"),
                ("assistant", "Zed: a"),
                ("system", "end"),
            ],
        ),
        (
            "semi",
            [
                ("system", "s1\n\ns2"),
                ("assistant", "greet"),
                ("user", "u1\n\nmid\n\nt"),
                ("assistant", "Zed: a"),
                ("user", "end"),
            ],
        ),
        (
            "semi_tools",
            [
                ("system", "s1\n\ns2"),
                ("assistant", "greet"),
                ("user", "u1\n\nmid"),
                ("tool", "t"),
                ("assistant", "Zed: a"),
                ("user", "end"),
            ],
        ),
        (
            "strict",
            [
                ("system", "s1\n\ns2"),
                ("user", PLACEHOLDER),
                ("assistant", "greet"),
                ("user", "u1\n\nmid\n\nt"),
                ("assistant", "Zed: a"),
                ("user", "end"),
            ],
        ),
        ("single", [("user", "s1\n\ns2\n\nBot: greet\n\nAl: u1\n\nmid\n\nAl: t\n\nZed: a\n\nend")]),
    ],
)
def test_modes(mode: str, expected: list[Pair]) -> None:
    assert pairs(post_process(MIXED, mode, user="Al", char="Bot")) == expected


def test_none_changes_nothing() -> None:
    assert post_process(MIXED, "none") == MIXED


@pytest.mark.parametrize("mode", ["merge", "semi", "strict", "single"])
def test_an_empty_array_gets_a_first_message(mode: str) -> None:
    assert pairs(post_process([], mode)) == [("user", PLACEHOLDER)]


def test_strict_begins_with_a_user() -> None:
    assert pairs(post_process(array(("system", "s")), "strict")) == [("system", "s"), ("user", PLACEHOLDER)]
    assert pairs(post_process(array(("assistant", "a")), "strict")) == [("user", PLACEHOLDER), ("assistant", "a")]


def test_several_system_messages_and_neighbours_are_joined_by_a_blank_line() -> None:
    joined = post_process(array(("system", "A."), ("system", "B."), ("user", "Hi")), "merge")
    assert pairs(joined) == [("system", "A.\n\nB."), ("user", "Hi")]
    joined = post_process(array(("user", "A"), ("user", "B"), ("assistant", "C"), ("assistant", "D")), "merge")
    assert pairs(joined) == [("user", "A\n\nB"), ("assistant", "C\n\nD")]


def test_empty_messages_join_nothing() -> None:
    assert pairs(post_process(array(("user", "a"), ("user", ""), ("user", "b")), "merge")) == [("user", "a\n\nb")]


CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}


def test_tool_calls_survive_where_they_may_and_are_text_elsewhere() -> None:
    messages = [
        {"role": "assistant", "tool_calls": [CALL]},
        {"role": "tool", "content": "r", "tool_call_id": "c", "name": "f"},
        {"role": "assistant", "content": "done"},
    ]
    kept = post_process(messages, "strict_tools")
    assert kept[1]["tool_calls"] == [CALL]
    assert kept[2] == messages[1]
    assert pairs(post_process(messages, "merge")) == [
        ("assistant", 'f({"a":1})'), ("user", "f: r"), ("assistant", "done"),
    ]  # fmt: skip
    assert messages[0] == {"role": "assistant", "tool_calls": [CALL]}


def test_images_survive_being_joined() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:"}}
    messages = [{"role": "user", "content": "look", "name": "Al"}, {"role": "user", "content": [picture]}]
    assert post_process(messages, "merge") == [
        {"role": "user", "content": [{"type": "text", "text": "Al: look"}, picture]}
    ]


def test_a_name_is_written_once() -> None:
    messages = [{"role": "user", "content": "Al: hi", "name": "Al"}]
    assert post_process(messages, "merge") == [{"role": "user", "content": "Al: hi"}]


@pytest.mark.parametrize("mode", ["none", "merge", "semi", "strict", "merge_tools", "semi_tools", "strict_tools"])
def test_the_prefill_is_last_and_what_is_continued_stays_open(mode: str) -> None:
    history = [Message("user", "u"), Message("assistant", "a"), Message("system", "late")]
    made = chat_messages(history, prefill="P", is_continued=False, post_processing=mode)
    assert made[-1] == {"role": "assistant", "content": "P"}
    made = chat_messages(history[:2], prefill=" P", is_continued=True, post_processing=mode)
    assert made[-1] == {"role": "assistant", "content": "a P"}


def test_anthropic_gets_leading_system_texts_apart_and_the_prefill_last() -> None:
    messages = array(
        ("system", "s1"), ("system", "s2"), ("user", "u"), ("assistant", "a"), ("system", "late"), ("assistant", "P")
    )
    body = provider_request("anthropic", Served(messages))["body"]
    assert [block["text"] for block in body["system"]] == ["s1", "s2"]
    assert pairs(body["messages"]) == [
        ("user", "u"), ("assistant", "a"), ("user", "<system-reminder>\nlate\n</system-reminder>"), ("assistant", "P"),
    ]  # fmt: skip
