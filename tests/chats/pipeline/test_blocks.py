"""Blocks: what a cast, lore, memories and notes put into a prompt, in which order, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chats.documents.chat import AuthorsNote
from chats.pipeline.blocks import BUILTIN_BLOCKS, Block
from tests.chats.pipeline.base import book, cast, memory, message, record, rendered, wire

CARD = {
    "name": "Alice",
    "description": "D {{char}}",
    "personality": "P",
    "scenario": "S",
    "mes_example": "<START>\n{{user}}: E",
}
PERSONA = {"name": "Bob", "description": "a hero"}
HISTORY = (message("user", "hello"), message("assistant", "yo"))


def test_every_block_has_its_place() -> None:
    result = rendered(
        *HISTORY,
        form=None,
        user_input="now",
        cast=cast({**CARD, "post_history_instructions": "PHI", "extensions": {"authors_note": "AN {{user}}"}}, PERSONA),
        books=(
            book(
                {"keys": ["hello"], "content": "LORE"},
                {"keys": ["yo"], "content": "AFTER", "position": "after_character"},
            ),
        ),
        memories=(memory("MEM"),),
    )
    assert wire(result) == [
        ("system", "Write Alice's next reply in a fictional chat between Alice and Bob."),
        ("system", "LORE"),
        ("system", "The user is Bob: a hero"),
        ("system", "D Alice"),
        ("system", "P"),
        ("system", "S"),
        ("system", "AFTER"),
        ("system", "Bob: E"),
        ("system", "MEM"),
        ("system", "AN Bob"),
        ("user", "hello"),
        ("assistant", "yo"),
        ("user", "now"),
        ("system", "PHI"),
    ]
    assert [one.origin for one in result.assembled.messages[:4]] == [
        "block:main-prompt", "lore:0", "persona", "character",
    ]  # fmt: skip
    assert result.assembled.given == (*[None] * 10, 0, 1, 2, None)


def test_a_plain_chat_gets_nothing_added() -> None:
    assert wire(rendered(message("user", "Hi"), form=None)) == [("user", "Hi")]


def test_a_persona_alone_brings_no_main_prompt() -> None:
    assert wire(rendered(message("user", "Hi"), form=None, cast=cast(persona=PERSONA))) == [
        ("system", "The user is Bob: a hero"),
        ("user", "Hi"),
    ]


def test_the_greeting_is_never_added() -> None:
    result = rendered(message("user", "Hi"), form=None, cast=cast({"name": "Alice", "first_mes": "Welcome!"}))
    assert ("assistant", "Welcome!") not in wire(result)


def test_a_cards_own_prompts_quote_what_they_replace() -> None:
    card = {"name": "Alice", "system_prompt": "Be kind. {{original}}", "post_history_instructions": "Last: {{char}}"}
    result = wire(rendered(message("user", "Hi"), form=None, cast=cast(card)))
    assert result[0][1] == "Be kind. Write Alice's next reply in a fictional chat between Alice and User."
    assert result[-1] == ("system", "Last: Alice")


def test_a_block_may_forbid_the_cards_prompt() -> None:
    blocks = tuple(replace(block, forbid_overrides=True) for block in BUILTIN_BLOCKS)
    card = {"name": "Alice", "system_prompt": "Mine"}
    assert wire(rendered(form=None, cast=cast(card), blocks=blocks))[0][1].startswith("Write Alice's")


def test_the_scenario_of_the_request_replaces_the_cards() -> None:
    texts = [text for _, text in wire(rendered(form=None, cast=cast(CARD, scenario="At {{char}}'s")))]
    assert "At Alice's" in texts
    assert "S" not in texts


def test_lore_is_called_by_expanded_text_and_expanded_once() -> None:
    lore = book({"keys": ["Alice"], "content": "{{char}} owns a {{map}}."})
    result = rendered(
        message("user", "hi {{char}}"), form=None, cast=cast({"name": "Alice"}), books=(lore,),
        variables={"map": "{{user}}"},
    )  # fmt: skip
    assert ("system", "Alice owns a {{user}}.") in wire(result)


def test_lore_at_a_depth_is_one_message_a_role_and_never_above_the_history() -> None:
    lore = book(
        {"keys": ["Hi"], "content": "second", "position": "at_depth", "depth": 0, "order": 200},
        {"keys": ["Hi"], "content": "first", "position": "at_depth", "depth": 0, "order": 100},
        {"keys": ["Hi"], "content": "deep", "position": "at_depth", "depth": 10, "role": "assistant"},
    )
    result = rendered(message("system", "Main."), message("user", "Hi"), form=None, books=(lore,))
    assert wire(result) == [
        ("system", "Main."), ("assistant", "deep"), ("user", "Hi"), ("system", "first\nsecond"),
    ]  # fmt: skip
    assert result.assembled.messages[-1].origin == "lore:1,0"


@pytest.mark.parametrize(
    ("depth", "place"), [(0, 2), (1, 1), (99, 0)], ids=["at the end", "before the newest", "clamped"]
)
def test_a_cards_note_stands_at_its_depth(depth: int, place: int) -> None:
    card = {"name": "A", "extensions": {"depth_prompt": {"prompt": "N", "depth": depth, "role": "user"}}}
    result = wire(rendered(*HISTORY, form=None, cast=cast(card)))[1:]
    assert result[place] == ("user", "N")


def test_an_injection_never_parts_a_call_from_its_result() -> None:
    call = message(
        "assistant", "", tool_calls=({"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}},)
    )
    history = (message("user", "q"), call, message("tool", "r", tool_call_id="c"))
    card = {"name": "A", "extensions": {"depth_prompt": {"prompt": "N", "depth": 1}}}
    roles = [role for role, _ in wire(rendered(*history, form=None, cast=cast(card)))]
    assert roles == ["system", "user", "system", "assistant", "tool"]


@pytest.mark.parametrize(
    ("position", "place"), [("before", 1), ("after", 2), ("at_depth", 3)], ids=["before", "after", "at depth"]
)
def test_the_chats_note(position: str, place: int) -> None:
    note = AuthorsNote(content="N {{char}}", position=position, depth=1)  # type: ignore[arg-type]
    result = wire(rendered(*HISTORY, form=None, cast=cast({"name": "A", "description": "D"}, note=note)))
    assert ("system", "N A") in result
    assert [text for _, text in result].index("N A") == place


def test_a_note_stands_in_every_nth_prompt() -> None:
    for interval, is_there in ((1, True), (2, False), (0, False)):
        note = AuthorsNote(content="N", position="after", interval=interval)
        assert (("system", "N") in wire(rendered(message("user", "a"), form=None, cast=cast(note=note)))) is is_there


def test_in_chat_blocks_by_order_and_role() -> None:
    def block(name: str, **more: object) -> Block:
        return Block(f"custom-{name}", content=name, in_chat=True, depth=1, **more)  # type: ignore[arg-type]

    blocks = (*BUILTIN_BLOCKS, block("s"), block("u", role="user"), block("first", order=1))
    result = rendered(message("user", "First turn"), message("assistant", "Newest reply"), form=None, blocks=blocks)
    assert wire(result) == [
        ("user", "First turn"),
        ("system", "first"),
        ("user", "u"),
        ("system", "s"),
        ("assistant", "Newest reply"),
    ]


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (Block("custom-a", content="x", enabled=False), "disabled"),
        (Block("custom-a", content="x", triggers=("quiet",)), "trigger"),
        (Block("custom-a", content="x", model="other"), "model-mismatch"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_block_that_takes_no_part_is_listed(block: Block, reason: str) -> None:
    result = rendered(message("user", "Hi"), form=None, blocks=(block, *BUILTIN_BLOCKS), model="mine")
    assert wire(result) == [("user", "Hi")]
    assert [(one.origin, one.reason) for one in result.assembled.excluded] == [("block:custom-a", reason)]


def test_the_rest_of_the_cast_takes_part_under_its_own_name() -> None:
    people = cast(
        {"name": "Ann", "description": "{{char}} of {{group}}"}, others=[{"name": "Bo", "description": "{{char}}!"}]
    )
    assert [text for _, text in wire(rendered(form=None, cast=people))][1:] == ["Ann of Ann, Bo", "Bo!"]


def test_the_trace_tells_why() -> None:
    lore = book({"keys": ["Hi"], "content": "L"}, {"keys": ["Hi"], "content": "M", "probability": 0})
    result = rendered(message("user", "Hi"), form=None, books=(lore,))
    told = record(result, "lore")
    assert [(one["origin"], one["reason"], one["data"]["key"]) for one in told["added"]] == [("lore:0", "key", "Hi")]
    assert [(one["origin"], one["reason"]) for one in told["dropped"]] == [("lore:1", "probability")]


def test_macros_off_leaves_texts_but_names_the_cast() -> None:
    result = wire(
        rendered(
            message("user", "{{char}}"), form=None, macros=False, cast=cast({"name": "A", "description": "{{char}}"})
        )
    )
    assert result == [
        ("system", "Write A's next reply in a fictional chat between A and User."),
        ("system", "{{char}}"),
        ("user", "{{char}}"),
    ]


def test_the_block_names_are_those_of_prompt_configs() -> None:
    from chats.pipeline.blocks import HOST_BLOCKS
    from formats.context.vocabulary import CORE_BLOCK_NAMES

    assert HOST_BLOCKS == CORE_BLOCK_NAMES


def test_a_history_that_is_switched_off_is_listed() -> None:
    blocks = tuple(replace(one, enabled=one.id != "chat-history") for one in BUILTIN_BLOCKS)
    result = rendered(message("user", "Hi"), form=None, blocks=blocks, cast=cast(persona=PERSONA))
    assert wire(result) == [("system", "The user is Bob: a hero")]
    assert [one.reason for one in result.assembled.excluded] == ["disabled"]


def test_the_trace_names_block_and_depth() -> None:
    card = {**CARD, "extensions": {"depth_prompt": {"prompt": "N", "depth": 1}}}
    added = record(rendered(*HISTORY, form=None, cast=cast(card)), "assemble")["added"]
    assert added[1]["data"] == {"block": "character-description", "field": "description", "of": "Alice"}
    assert {"insertedAt": 1, "field": "depth_prompt"} in [one.get("data") for one in added]
