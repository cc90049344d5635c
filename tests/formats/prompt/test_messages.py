from __future__ import annotations

from typing import Any

import pytest

from formats.prompt import Message, MessageError

CALL = {"id": "1", "type": "function", "function": {"name": "sky", "arguments": "{}"}}


def faults(values: Any) -> list[tuple[str, str]]:
    with pytest.raises(MessageError) as caught:
        Message.read_all(values)
    return [(fault.path, fault.message) for fault in caught.value.faults]


def test_the_plain_text_is_ready() -> None:
    assert Message.model_validate({"role": "user", "content": "Hi"}).text == "Hi"


@pytest.mark.parametrize(
    "extra",
    [
        {"content": [{"type": "text", "text": "Hi"}]},
        {"tool_calls": [CALL]},
        {"reasoning_content": "hm"},
        {"excluded": True},
    ],
    ids=["parts", "calls", "reasoning", "excluded"],
)
def test_a_message_that_is_more_than_text_has_no_ready_text(extra: dict[str, Any]) -> None:
    message = Message.model_validate({"role": "assistant", "content": "Hi", **extra})
    assert (message.text, message.plain) == (None, "Hi")


@pytest.mark.parametrize(
    ("given", "role"),
    [
        ("User", "user"),
        ("function", "tool"),
        ("developer", "system"),
        ("human", "user"),
        ("GPT", "assistant"),
        ("model", "assistant"),
    ],
)
def test_other_names_of_a_role_are_read_and_reported(given: str, role: str) -> None:
    message = Message.model_validate({"role": given, "content": ""})
    found = [(finding.code, finding.path) for finding in message.findings("messages[0]")]
    assert (message.role, found) == (role, [("ROLE_ALIAS", "messages[0].role")])


def test_an_unknown_role_is_located() -> None:
    good = {"role": "user", "content": "Hi"}
    assert faults([good, {"role": "narrator", "content": ""}]) == [
        ("messages[1].role", "unknown role 'narrator'; known are system, user, assistant, tool")
    ]


def test_every_fault_of_every_message_is_reported() -> None:
    values = [
        {"content": 3},
        "x",
        {"role": "user", "content": [{"type": "text"}, 1]},
        {"role": "assistant", "tool_calls": [{}]},
    ]
    assert faults(values) == [
        ("messages[0].role", "is required"),
        ("messages[0].content", "must be a string or an array of parts, not a number"),
        ("messages[1]", "a message must be an object, not a string"),
        ("messages[2].content[0].text", "must be a string"),
        ("messages[2].content[1]", "a part must be an object, not a number"),
        ("messages[3].tool_calls[0].name", "must be a string"),
    ]


def test_content_may_only_be_missing_beside_calls_or_reasoning() -> None:
    assert Message.model_validate({"role": "assistant", "tool_calls": [CALL]}).body is None
    assert faults([{"role": "user", "content": None}]) == [("messages[0].content", "is required")]


def test_two_spellings_of_a_field_are_a_fault() -> None:
    assert faults([{"role": "tool", "content": "", "tool_call_id": "1", "toolCallId": "1"}]) == [
        ("messages[0].toolCallId", "is given twice, as 'tool_call_id' and as 'toolCallId'")
    ]


def test_an_unknown_field_is_left_out_and_reported() -> None:
    message = Message.model_validate({"role": "user", "content": "Hi", "refusal": "no"})
    assert [finding.code for finding in message.findings("messages[0]")] == ["UNKNOWN_FIELD"]


def test_the_wire_holds_only_keys_with_a_value() -> None:
    message = Message.model_validate({"id": "m1", "role": "human", "content": "Hi", "name": None, "pinned": True})
    assert message.to_wire() == {"role": "user", "content": "Hi"}


def test_the_wire_spells_as_openai_does() -> None:
    given = {"role": "assistant", "content": None, "toolCalls": [CALL], "reasoningContent": "hm"}
    assert Message.model_validate(given).to_wire() == {
        "role": "assistant",
        "tool_calls": [CALL],
        "reasoning_content": "hm",
    }


def test_replace_makes_a_new_value() -> None:
    message = Message("user", "Hi", name="Bob", origin="lore:1")
    changed = message.replace(text="Ho")
    assert (message.text, changed) == ("Hi", Message("user", "Ho", name="Bob", origin="lore:1"))


def test_a_list_that_is_no_list_is_a_fault() -> None:
    assert faults({"role": "user"}) == [("messages", "must be an array of messages")]
