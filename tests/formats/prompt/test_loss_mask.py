"""The stretches that a model is trained on, for every way a turn can open and close."""

from __future__ import annotations

from typing import Any

import pytest

from formats.builtin import builtin_document
from formats.prompt import InstructFormat, Message, render
from formats.prompt.loss_mask import LossMarks, Turns, loss_stretches

CHAT = [
    {"role": "user", "content": "u"},
    {"role": "assistant", "content": "a1"},
    {"role": "user", "content": "u2"},
    {"role": "assistant", "content": "a2"},
]
CALL = {"id": "123456789", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def trained(fmt: InstructFormat, messages: list[dict[str, Any]], turns: Turns = "all", **how: Any) -> list[str]:
    """The texts that are trained on."""
    out = render(fmt, [Message.model_validate(one) for one in messages], add_generation_prompt=False, **how)
    roles = {index: str(one["role"]) for index, one in enumerate(messages)}
    return [
        out.text[start:end] for start, end in loss_stretches(out.segments, roles, LossMarks.of(fmt.compiled), turns)
    ]


def tiny(**fields: Any) -> InstructFormat:
    document = {"version": 2, "kind": "instruct-format", "id": "tiny", "name": "Tiny", "system": "S:{{content}}\n"}
    roles = {"user": "U:{{content}}\n", "assistant": "A:{{content}}\n", "tool": "T:{{content}}\n"}
    return InstructFormat.model_validate({**document, **roles, "promptSuffix": "A:", **fields})


@pytest.mark.parametrize(
    ("slug", "closer"), [("chatml", "<|im_end|>"), ("llama3", "<|eot_id|>"), ("mistral", "</s>"), ("alpaca", "</s>")]
)
def test_content_and_the_token_that_ends_the_turn(slug: str, closer: str) -> None:
    fmt = InstructFormat.model_validate(builtin_document(slug))
    assert trained(fmt, CHAT) == [f"a1{closer}", f"a2{closer}"]
    assert trained(fmt, CHAT, "last") == [f"a2{closer}"]


def test_a_turn_without_a_closing_token_ends_with_its_content() -> None:
    assert trained(tiny(), CHAT) == ["a1", "a2"]


def test_a_stop_string_closes_a_turn() -> None:
    assert trained(tiny(assistant="A:{{content}}\n##\n", stopStrings=["\n##"]), CHAT) == ["a1\n##", "a2\n##"]


def test_what_the_generation_prompt_does_not_give_is_learned() -> None:
    assert trained(tiny(assistant="A: {{content}}\n"), CHAT) == [" a1", " a2"]
    assert trained(tiny(promptSuffix="A:<think>", assistant="A:{{content}}\n"), CHAT) == ["a1", "a2"]


def test_content_that_begins_like_the_generation_prompt_is_learned_whole() -> None:
    fmt = tiny(promptSuffix="A:<think>")
    assert trained(fmt, [CHAT[0], {"role": "assistant", "content": "<table>"}]) == ["<table>"]


def test_a_tool_call_is_learned_with_its_markup() -> None:
    fmt = InstructFormat.model_validate(builtin_document("mistral-v3-tekken"))
    messages = [CHAT[0], {"role": "assistant", "content": None, "tool_calls": [CALL]}]
    assert trained(fmt, messages) == ['[TOOL_CALLS][{"name": "f", "arguments": {}, "id": "123456789"}]</s>']


def test_merged_messages_are_one_turn() -> None:
    fmt = tiny(alternation="merge", mergeSeparator="+")
    messages = [CHAT[0], {"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}, CHAT[2]]
    assert trained(fmt, messages) == ["a+b"]


def test_two_turns_in_a_row_keep_their_openings_out() -> None:
    messages = [CHAT[0], {"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}]
    assert trained(tiny(), messages) == ["a", "b"]


def test_an_open_turn_has_no_closing_token() -> None:
    fmt = InstructFormat.model_validate(builtin_document("chatml"))
    assert trained(fmt, CHAT, continue_final_message=True) == ["a1<|im_end|>", "a2"]


def test_a_chat_without_an_assistant_teaches_nothing() -> None:
    assert trained(tiny(), CHAT[:1]) == []
    assert trained(tiny(), CHAT[:1], "last") == []


def test_a_chat_template_s_reply_ends_with_its_stop_string() -> None:
    source = (
        "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}!{{ c.function.name }}"
        "{% endfor %}<|end|>\n{% endfor %}"
    )
    tokens = ["<|user|>", "<|assistant|>", "<|end|>"]
    fmt = tiny(chatTemplate=source, stopStrings=["<|end|>"], specialTokens=tokens)
    messages = [*CHAT, CHAT[0], {"role": "assistant", "content": "a3", "tool_calls": [CALL]}]
    assert trained(fmt, messages) == ["a1<|end|>", "a2<|end|>", "a3!f<|end|>"]


def test_a_chat_template_without_a_known_end_does_not_teach_the_next_turn() -> None:
    source = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"
    fmt = tiny(chatTemplate=source, specialTokens=["<|user|>", "<|assistant|>"])
    assert trained(fmt, CHAT) == ["a1", "a2"]
