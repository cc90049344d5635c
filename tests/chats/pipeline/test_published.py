"""What the published system's own tests check of its pipeline holds here: docs/pipeline.md lists it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from chats.macros import MacroScope, expand
from chats.pipeline.blocks import BUILTIN_BLOCKS, Block
from chats.pipeline.budget import Budget, BudgetExceeded
from chats.pipeline.sources import Excluded
from chats.providers.stops import merge_stops
from formats.prompt import InstructFormat, render
from formats.tokens import for_model, profile
from tests.chats.pipeline.base import LETTERS, NOW, book, cast, memory, message, rendered, wire

ALICE = {"name": "Alice", "description": "{{char}} is curious"}
BOB = {"name": "Bob"}


def blocks(**changes: dict[str, Any]) -> tuple[Block, ...]:
    """The built-in blocks with changes, by id with `_` for `-`."""
    named = {name.replace("_", "-"): values for name, values in changes.items()}
    return tuple(replace(block, **named.get(block.id, {})) for block in BUILTIN_BLOCKS)


# formats and stop strings


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("chatml", "<b>&", "<|im_start|>user\n<b>&<|im_end|>\n<|im_start|>assistant\n"),
        ("mistral", "hello", "<s>[INST]hello[/INST]"),
        (
            "command-r",
            "hello",
            "<BOS_TOKEN><|START_OF_TURN_TOKEN|><|USER_TOKEN|>hello<|END_OF_TURN_TOKEN|>"
            "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",
        ),
    ],
)
def test_built_in_formats(form: str, text: str, expected: str) -> None:
    assert rendered(message("user", text), form=form).text == expected


def test_a_format_of_ones_own() -> None:
    turns = {
        "system": "S:{{{content}}}\n",
        "user": "U:{{{content}}}\n",
        "assistant": "A:{{{content}}}\n",
        "tool": "T:{{{content}}}\n",
    }
    named = {"kind": "instruct-format", "version": 2, "id": "own", "name": "Own"}
    form = InstructFormat.model_validate({**named, **turns, "promptSuffix": "A:", "stopStrings": ["STOP"]})
    made = render(form, [message("user", "hello")])
    assert (made.text, made.stop_strings) == ("U:hello\nA:", ["STOP"])
    assert InstructFormat.model_validate(form.model_dump(by_alias=True, exclude_unset=True)) == form


def test_stop_strings_are_joined_in_order_each_once() -> None:
    assert merge_stops(("<|im_end|>",), ["profile-stop", "profile-stop", "manual-stop"]) == [
        "<|im_end|>",
        "profile-stop",
        "manual-stop",
    ]


def test_without_a_format_the_array_is_what_was_given_and_nothing_stops_it() -> None:
    result = rendered(message("user", "Hi"), form=None)
    assert (wire(result), result.text, result.stops) == ([("user", "Hi")], None, ())


# macros and tokens


@pytest.mark.parametrize(
    ("text", "scope", "expected"),
    [
        (
            "{{user}} meets {{char}} at {{place}}",
            {"user": "Bob", "char": "Alice", "variables": {"place": "the café"}},
            "Bob meets Alice at the café",
        ),
        ("{{nothing}}", {}, "{{nothing}}"),
        ("{{date}} {{time}} {{weekday}}", {}, "2026-07-31 14:05 Friday"),
        ("{{user}} {{char}}", {}, "User Assistant"),
    ],
)
def test_macros(text: str, scope: dict[str, Any], expected: str) -> None:
    assert expand(text, MacroScope(now=NOW, **scope)).text == expected


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0), ("hello world", 3), ("abc", 1), ("аааааааа", 2), ("\n\n", 1), ("😀🎉🚀", 3),
        ("你好世界", 2), ("1234", 2), ("Привет world", 3),
    ],
)  # fmt: skip
def test_the_estimate(text: str, tokens: int) -> None:
    assert profile("estimate").count(text) == tokens


def test_models_have_their_tokenizers() -> None:
    assert (for_model("gpt-4o-mini"), for_model("gpt-3.5-turbo")) == ("o200k_base", "cl100k_base")
    assert [profile(name).count("hello world") for name in ("o200k_base", "cl100k_base")] == [2, 2]


# assembly


def test_every_source_text_is_expanded() -> None:
    result = rendered(
        message("user", "Hi"),
        form=None,
        cast=cast(ALICE, BOB),
        books=(book({"keys": [], "constant": True, "content": "{{char}} owns a map."}),),
        memories=(memory("{{user}} likes tea."),),
        blocks=blocks(post_history_instructions={"content": "Remember {{user}}."}),
    )
    assert wire(result) == [
        ("system", "Write Alice's next reply in a fictional chat between Alice and Bob."),
        ("system", "Alice owns a map."),
        ("system", "Alice is curious"),
        ("system", "Bob likes tea."),
        ("user", "Hi"),
        ("system", "Remember Bob."),
    ]


def test_blocks_in_another_order_and_one_switched_off() -> None:
    listed = blocks(main_prompt={"enabled": False})
    scenario = next(one for one in listed if one.id == "scenario")
    order = (scenario, *(one for one in listed if one.id != "scenario"))
    card = {"name": "Alice", "description": "A girl.", "scenario": "A wood."}
    result = rendered(message("user", "Hi"), form=None, cast=cast(card), blocks=order)
    assert wire(result) == [("system", "A wood."), ("system", "A girl."), ("user", "Hi")]
    assert result.assembled.excluded == (Excluded(None, "block:main-prompt", "disabled"),)


def test_the_input_stands_before_what_follows_the_history() -> None:
    changed = blocks(post_history_instructions={"content": "Remember."})
    result = rendered(message("user", "Old"), form=None, user_input="New", blocks=changed)
    assert wire(result) == [("user", "Old"), ("user", "New"), ("system", "Remember.")]


def test_a_block_at_depth_1_stands_before_the_newest_message() -> None:
    block = Block("note", content="Whisper.", in_chat=True, depth=1)
    history = (message("user", "First turn"), message("assistant", "Newest reply"))
    result = rendered(*history, form=None, blocks=(*BUILTIN_BLOCKS, block))
    assert wire(result) == [("user", "First turn"), ("system", "Whisper."), ("assistant", "Newest reply")]


def test_blocks_for_other_kinds_of_reply_and_other_models_say_why_they_are_out() -> None:
    others = (Block("quiet", content="Q", triggers=("quiet",)), Block("theirs", content="T", model="other"))
    result = rendered(message("user", "Hi"), form=None, model="mine", blocks=(*BUILTIN_BLOCKS, *others))
    assert wire(result) == [("user", "Hi")]
    assert result.assembled.excluded == (
        Excluded(None, "block:quiet", "trigger"),
        Excluded(None, "block:theirs", "model-mismatch"),
    )


# the budget


def test_required_lore_that_is_too_much_is_refused_with_limit_and_reserve() -> None:
    lore = book({"keys": [], "constant": True, "content": "x" * 400})
    with pytest.raises(BudgetExceeded) as refused:
        rendered(message("user", "Hi"), form=None, counter=LETTERS, books=(lore,), budget=Budget(20, 10))
    params = refused.value.params
    assert (params["contextLimit"], params["reservedForReply"]) == (20, 10)


def test_a_call_and_its_result_leave_together_though_others_stand_between() -> None:
    call = message("assistant", "x" * 24, tool_calls=({"id": "a", "function": {"name": "f", "arguments": "{}"}},))
    history = (call, message("user", "between"), message("tool", "y" * 24, tool_call_id="a"), message("user", "Now"))
    result = rendered(*history, form=None, counter=LETTERS, budget=Budget(24))
    assert wire(result) == [("user", "between"), ("user", "Now")]
