"""Macros in the pipeline: every source text once, never templates, findings by place."""

from __future__ import annotations

from tests.chats.pipeline.base import cast, memory, message, record, rendered, wire


def test_history_input_and_variables() -> None:
    result = rendered(
        message("user", "{{user}} meets {{char}} at {{place}}"), user_input="{{date}} {{time}} {{weekday}}",
        cast=cast({"name": "Alice"}, {"name": "Bob"}), variables={"place": "the café"}, form=None,
    )  # fmt: skip
    assert wire(result)[1:] == [("user", "Bob meets Alice at the café"), ("user", "2026-07-31 14:05 Friday")]
    assert [one["message"] for one in record(result, "macros")["changed"]] == [0, 1]


def test_values_are_never_read_again() -> None:
    result = rendered(
        message("user", "{{a}} {{user}}"),
        cast=cast(persona={"name": "{{char}}"}),
        variables={"a": "$& {{b}} \\1"},
        form=None,
    )
    assert wire(result) == [("user", "$& {{b}} \\1 {{char}}")]


def test_parts_and_excluded_messages() -> None:
    parts = ({"type": "text", "text": "{{user}}"}, {"type": "image_url", "image_url": {"url": "{{user}}"}})
    gone = message("user", "{{nope}}", excluded=True)
    result = rendered(gone, message("user", None, parts=parts), form=None)  # type: ignore[arg-type]
    assert result.assembled.messages[1].parts == ({"type": "text", "text": "User"}, parts[1])
    assert result.findings == ()


def test_a_later_field_of_the_card_may_quote_an_earlier_one() -> None:
    card = {"name": "A", "description": "tall {{char}}", "scenario": "{{description}} waits"}
    assert ("system", "tall A waits") in wire(rendered(message("user", "x"), cast=cast(card), form=None))


def test_card_fields_memories_and_last_message_in_texts() -> None:
    card = {"name": "A", "description": "D", "system_prompt": "You said: {{lastUserMessage}}"}
    result = wire(
        rendered(
            message("user", "I am {{user}}, {{description}}"),
            cast=cast(card),
            memories=(memory("{{user}} likes tea."),),
            form=None,
        )
    )
    assert result[0] == ("system", "You said: I am User, D")
    assert ("system", "User likes tea.") in result


def test_unknown_macros_are_one_finding_each_with_their_place() -> None:
    result = rendered(message("user", "{{nope}}"), message("assistant", "{{nope}}"), user_input="{{other}}", form=None)
    assert [(one.code, one.path) for one in result.findings] == [
        ("UNKNOWN_MACRO", "messages[0].content"), ("UNKNOWN_MACRO", "userInput"),
    ]  # fmt: skip


def test_chance_follows_from_the_seed() -> None:
    texts = {
        wire(rendered(message("user", "{{random::a::b::c::d::e::f}}"), form=None, seed=seed))[0][1]
        for seed in range(30)
    }
    assert len(texts) > 3
    one, same = (wire(rendered(message("user", "{{random::a::b}}"), form=None, seed=3)) for _ in range(2))
    assert one == same


def test_a_quiet_text_costs_no_scope() -> None:
    result = rendered(message("user", "a < b and {a} {\\} <user>"), form=None)
    assert wire(result) == [("user", "a < b and {a} {\\} <user>")]
    assert record(result, "macros")["changed"] == []
