"""What the bodies of chat providers carry of calls, results and names, and what is said of the rest."""

from __future__ import annotations

from typing import Any

import pytest

from chats.providers.anthropic import anthropic_messages
from chats.providers.requests import Served, provider_request, request_findings
from tests.chats.base import USER_HI

TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
HI = USER_HI[0]


def called(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "tool_calls": list(calls)}


def call(call_id: str, arguments: Any = "{}") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "look", "arguments": arguments}}


def result(**more: Any) -> dict[str, Any]:
    return {"role": "tool", "content": "waves", **more}


def found(provider: str, *messages: dict[str, Any], **more: Any) -> list[tuple[str, str, str]]:
    findings = request_findings(provider, Served(messages, **more))
    return [(one.severity, one.code, one.path) for one in findings]


def result_ids(*messages: dict[str, Any]) -> list[str]:
    turns = [turn["content"] for turn in anthropic_messages(messages)[1] if isinstance(turn["content"], list)]
    return [block["tool_use_id"] for blocks in turns for block in blocks if block["type"] == "tool_result"]


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (
            {"id": "c", "function": {"name": "look", "arguments": {"at": "Ä"}}},
            {"id": "c", "type": "function", "function": {"name": "look", "arguments": '{"at": "Ä"}'}},
        ),
        (
            {"id": "c", "type": "custom", "function": {"name": "look", "arguments": "so"}},
            {"id": "c", "type": "custom", "function": {"name": "look", "arguments": "so"}},
        ),
        ({"name": "look", "arguments": {}}, {"type": "function", "function": {"name": "look", "arguments": "{}"}}),
        (
            {"id": "c", "function": {"name": "look"}},
            {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}},
        ),
    ],
)
def test_openai_calls_have_a_type_and_arguments_as_text(given: dict[str, Any], sent: dict[str, Any]) -> None:
    messages = [HI, called(given)]
    assert provider_request("openai-compatible", Served(messages))["body"] == {"messages": [HI, called(sent)]}
    assert messages == [HI, called(given)]


@pytest.mark.parametrize("mode", ["merge", "semi", "strict", "single"])
@pytest.mark.parametrize("provider", ["openai-compatible", "anthropic"])
def test_there_are_no_tools_where_calls_are_text(provider: str, mode: str) -> None:
    body = provider_request(provider, Served([HI], tools=[TOOL], post_processing=mode))["body"]
    assert body == {"messages": [HI]}
    assert found(provider, HI, tools=[TOOL], post_processing=mode) == [("info", "TOOLS_NOT_SENT", "tools")]
    assert found(provider, HI, post_processing=mode) == []


@pytest.mark.parametrize("mode", ["none", "merge_tools", "semi_tools", "strict_tools"])
def test_openai_gets_tools_where_calls_are_kept(mode: str) -> None:
    body = provider_request("openai-compatible", Served([HI], tools=[TOOL], post_processing=mode))["body"]
    assert body == {"messages": [HI], "tools": [TOOL]}
    assert found("openai-compatible", HI, tools=[TOOL], post_processing=mode) == []


def test_anthropic_names_are_told_once_at_the_first() -> None:
    named = {"role": "user", "content": "Hi", "name": "Zed"}
    assert found("anthropic", HI, named, named) == [("warning", "NAME_NOT_SENT", "messages[1].name")]
    assert found("anthropic", HI, called(call("c")), result(name="look", tool_call_id="c")) == []


def test_anthropic_reasoning_is_told_once_and_left_out() -> None:
    thought = {"role": "assistant", "content": "So", "reasoning_content": "Hm"}
    assert anthropic_messages([HI, thought])[1] == [HI, {"role": "assistant", "content": "So"}]
    assert found("anthropic", HI, thought, HI, thought) == [
        ("info", "REASONING_NOT_SENT", "messages[1].reasoning_content")
    ]


def test_anthropic_result_without_id_answers_the_only_open_call() -> None:
    messages = [HI, called(call("a")), result(), called(call("b")), result()]
    assert result_ids(*messages) == ["a", "b"]
    assert found("anthropic", *messages) == []
    assert result_ids(HI, called(call("a"), call("b")), result(tool_call_id="a"), result()) == ["a", "b"]


@pytest.mark.parametrize("before", [(), (called(call("a"), call("b")),)])
def test_anthropic_result_without_id_stays_so_where_no_call_or_several_are_open(
    before: tuple[dict[str, Any], ...],
) -> None:
    assert result_ids(HI, *before, result()) == [""]
    path = f"messages[{1 + len(before)}].tool_call_id"
    assert found("anthropic", HI, *before, result()) == [("warning", "TOOL_CALL_ID_MISSING", path)]


def test_anthropic_call_without_id_is_told_and_so_is_its_result() -> None:
    messages = [HI, called({"name": "look"}), result()]
    assert result_ids(*messages) == [""]
    assert found("anthropic", *messages) == [
        ("warning", "TOOL_CALL_ID_MISSING", "messages[2].tool_call_id"),
        ("warning", "TOOL_CALL_ID_MISSING", "messages[1].tool_calls[0].id"),
    ]


@pytest.mark.parametrize(
    "text", ["at sea", '{"at":', "[1]", "null", "[" * 100_000], ids=["words", "cut", "array", "null", "deep"]
)
def test_anthropic_arguments_that_are_no_object_are_kept_as_text(text: str) -> None:
    turn = anthropic_messages([HI, called(call("a"), call("b", text))])[1][1]
    assert [block["input"] for block in turn["content"]] == [{}, {"arguments": text}]
    path = "messages[1].tool_calls[1].function.arguments"
    assert found("anthropic", HI, called(call("a"), call("b", text))) == [("warning", "ARGUMENTS_NOT_JSON", path)]
    bare = called({"id": "c", "name": "look", "arguments": text})
    assert found("anthropic", bare) == [("warning", "ARGUMENTS_NOT_JSON", "messages[0].tool_calls[0].arguments")]


@pytest.mark.parametrize("arguments", [{"at": "sea"}, '{"at": "sea"}'])
def test_anthropic_arguments_that_are_an_object_are_the_input(arguments: Any) -> None:
    turn = anthropic_messages([HI, called(call("a", arguments))])[1][1]
    assert turn["content"] == [{"type": "tool_use", "id": "a", "name": "look", "input": {"at": "sea"}}]
    assert found("anthropic", HI, called(call("a", arguments))) == []


@pytest.mark.parametrize("messages", [(), ({"role": "system", "content": "Y"},)])
def test_anthropic_needs_more_than_system_messages(messages: tuple[dict[str, Any], ...]) -> None:
    assert provider_request("anthropic", Served(messages))["body"]["messages"] == []
    assert found("anthropic", *messages) == [("warning", "NO_USER_MESSAGE", "messages")]


@pytest.mark.parametrize("provider", ["text-completion", "novelai", "koboldai", "ai-horde"])
def test_text_providers_have_no_findings_of_their_own(provider: str) -> None:
    assert found(provider, {**HI, "name": "Zed"}) == []
