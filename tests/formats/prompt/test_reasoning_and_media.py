"""Reasoning in history, generation prompts of every kind, pictures, films, sounds, and the parts of a message."""

from __future__ import annotations

from typing import Any

import pytest

from formats.prompt import Message, render
from tests.formats.prompt.samples import chat, plain

MARKS = {"start": "<think>", "end": "</think>"}


def text(changes: dict[str, Any], *messages: Message, **arguments: Any) -> str:
    return render(plain(**changes), messages, **{"add_generation_prompt": False, **arguments}).text


def thought(answer: str) -> Message:
    return Message("assistant", answer, reasoning="hm")


TALK = (*chat("u:1"), thought("2"), *chat("u:3"), thought("4"))


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, "<u>1><a>2><u>3><a>4>"),
        ({"keepInHistory": True}, "<u>1><a><think>hm</think>2><u>3><a><think>hm</think>4>"),
        ({"keepInCurrent": True}, "<u>1><a>2><u>3><a><think>hm</think>4>"),
    ],
    ids=str,
)
def test_history_keeps_what_the_format_says(spec: dict[str, Any], expected: str) -> None:
    assert text({"reasoning": MARKS | spec}, *TALK) == expected


def test_a_template_may_place_it() -> None:
    changes = {"assistant": "{{#if reasoning}}({{reasoning}}){{/if}}{{content}};", "reasoning": {"keepInHistory": True}}
    assert text(changes, *TALK) == "<u>1>(hm)2;<u>3>(hm)4;"


@pytest.mark.parametrize(
    ("how", "expected"),
    [("exact", "<a>[\n hm\n]\n 2>"), ("lines", "<a>[ hm] 2>"), ("blanks", "<a>[hm]2>")],
)
def test_marks_inside_a_content_are_read(how: str, expected: str) -> None:
    spec = MARKS | {"parse": how, "keepInHistory": True}
    changes = {"reasoning": spec, "assistant": "<a>{{#if reasoning}}[{{reasoning}}]{{/if}}{{content}}>"}
    assert text(changes, Message("assistant", "<think>\n hm\n</think>\n 2")) == expected


def test_a_content_without_marks_stays() -> None:
    changes = {"reasoning": MARKS | {"parse": "blanks"}}
    assert text(changes, Message("assistant", " <think> 2")) == "<a> <think> 2>"


SUFFIXES = {
    "promptSuffix": "N",
    "promptSuffixVariants": {
        "thinkingOn": "ON", "thinkingOff": "OFF", "afterTool": "T", "afterAssistantThinkingOff": "AO", "closed": "END",
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("last", "thinking", "expected"),
    [
        ("u:1", None, "<u>1>N"),
        ("u:1", True, "<u>1>ON"),
        ("u:1", False, "<u>1>OFF"),
        ("t:1", None, "<t>1>T"),
        ("t:1", True, "<t>1>T"),
        ("a:1", None, "<a>1>N"),
        ("a:1", False, "<a>1>AO"),
    ],
)
def test_the_most_special_generation_prompt_wins(last: str, thinking: bool | None, expected: str) -> None:
    out = render(plain(**SUFFIXES), chat(last), options={"thinking": thinking})
    assert out.text == expected


def test_a_text_that_asks_for_nothing_may_end_in_a_mark_of_its_own() -> None:
    out = render(plain(**SUFFIXES), chat("u:1", "a:2"), add_generation_prompt=False)
    assert out.text == "<u>1><a>2>END"
    assert out.segments[-1] == ("END", "markup", "promptSuffixVariants.closed", None)
    assert render(plain(**SUFFIXES), chat("u:1", "a:2"), continue_final_message=True).text == "<u>1><a>2"


IMAGE, FILM = {"type": "image"}, {"type": "video_url"}
VISION = {"start": "(", "end": ")", "imageToken": "I", "videoToken": "V", "audioToken": "S"}


def said(*parts: Any) -> Message:
    return Message(
        "user", parts=tuple({"type": "text", "text": part} if isinstance(part, str) else part for part in parts)
    )


@pytest.mark.parametrize(
    ("spec", "parts", "expected"),
    [
        ({}, ("a", IMAGE, "b", FILM), "<u>a(I)b(V)>"),
        ({}, ({"type": "input_audio"}, "a"), "<u>(S)a>"),
        ({"order": "first"}, ("a", IMAGE, "b", FILM), "<u>(I)(V)ab>"),
        ({"order": "pair"}, ("a", IMAGE), "<u>(I)a>"),
        ({"order": "pair"}, ("a", IMAGE, IMAGE), "<u>a(I)(I)>"),
        ({"number": "{n}:"}, (IMAGE, IMAGE), "<u>1:(I)2:(I)>"),
    ],
    ids=str,
)
def test_media_stand_where_the_format_wants_them(spec: dict[str, Any], parts: Any, expected: str) -> None:
    assert text({"vision": VISION | spec}, said(*parts)) == expected


def test_neighbouring_texts_are_joined_as_the_format_says() -> None:
    assert text({}, said("a", "b")) == "<u>ab>"
    assert text({"partJoiner": "\n", "vision": VISION}, said("a", "b", IMAGE, "c")) == "<u>a\nb(I)c>"


def test_media_are_listed_in_the_order_of_the_text() -> None:
    known = {"type": "image", "width": 57, "height": 28}
    spec = VISION | {"order": "first", "tokens": 300, "patch": 28}
    out = render(plain(vision=spec), [said("a", FILM), said(known)])
    assert out.media == [
        {"type": "video_url", "path": "messages[0].content[1]", "tokens": 300, "approximate": True},
        {"type": "image", "path": "messages[1].content[0]", "tokens": 3, "approximate": False},
    ]
    assert out.media_tokens == 303


def test_a_result_of_a_tool_may_hold_a_picture() -> None:
    changes = {"vision": VISION, "toolResults": {"item": "{{content}};"}}
    assert text(changes, Message("tool", parts=(IMAGE,))) == "<t>(I);>"


def test_what_has_no_place_is_a_finding() -> None:
    out = render(plain(), [said(IMAGE, "a")])
    assert [(finding.code, finding.path) for finding in out.findings] == [("PART_DROPPED", "messages[0].content[0]")]
    assert (out.media, out.media_tokens) == ([], 0)


def test_an_empty_system_text_may_be_folded_like_any_other() -> None:
    policy = {"first": "fold_first_user", "wrap": "[{{content}}]"}
    assert text({"systemPolicy": policy, "mergeSeparator": "|"}, *chat("s:", "u:1")) == "<u>1>"
    kept = {"systemPolicy": policy | {"keepEmpty": True}, "mergeSeparator": "|"}
    assert text(kept, *chat("s:", "u:1")) == "<u>[]|1>"
