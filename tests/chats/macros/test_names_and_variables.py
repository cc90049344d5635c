"""Names, custom variables, fields and last messages."""

from __future__ import annotations

import pytest

from chats.macros import reserved
from tests.chats.macros.base import codes, said, scope, text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{user}} meets {{char}} at {{place}}", "Bob meets Alice at the café"),
        ("{{ USER }}/{{User}}/{{\nchar\n}}", "Bob/Bob/Alice"),
        ("{{{user}}}", "{Bob}"),
        ('{"name": "{{user}}"}', '{"name": "Bob"}'),
        ('{"a": {"b": {{user}}}}', '{"a": {"b": Bob}}'),
        ("<USER> and <BOT>, <CHAR>, <GROUP>", "Bob and Alice, Alice, Alice"),
        ("<user>not a macro</user>", "<user>not a macro</user>"),
        ("{{PLACE}} {{Place}} {{ place }}", "the café the café the café"),
        ("{{имя}} {{my.var}} {{my var}} {{my-var}} {{1}}", "Аня dot space dash one"),
        ("{{cafe\u0301}}", "composed"),
        ("{{yes}} {{count}}", "true 3"),
        ("[{{empty}}]", "[]"),
        ("{{gone}}", "{{gone}}"),
    ],
)
def test_names_and_variables(source: str, expected: str) -> None:
    variables = {
        "place": "the café",
        "имя": "Аня",
        "my.var": "dot",
        "my var": "space",
        "my-var": "dash",
        "1": "one",
        "café": "composed",
        "yes": True,
        "count": 3,
        "empty": "",
        "gone": None,
    }
    assert text(source, variables=variables) == expected


def test_names_have_defaults() -> None:
    assert text("{{user}} and {{char}}", user="", char="") == "User and Assistant"


def test_a_variable_written_alike_comes_before_one_in_another_case() -> None:
    assert text("{{a}}{{A}}", variables={"A": "big", "a": "small"}) == "smallbig"


def test_a_variable_can_not_override_a_built_in() -> None:
    variables = {"user": "Eve", "USER": "Eve", "time": "never", "if": "x", "mine": "ok"}
    assert text("{{user}} {{USER}} {{time}} {{mine}}", variables=variables) == "Bob Bob 14:05 ok"
    assert text("{{random}}", variables={"random": "x"}) == "{{random}}"
    assert text("{{time zone}}", variables={"time zone": "CET"}) == "CET"
    assert reserved(variables) == ["user", "USER", "time", "if"]


@pytest.mark.parametrize(
    "value", ["{{char}}", "$&", "$1", "\\1", "\\g<0>", "{{setvar::a::b}}", "<USER>", "\\{{x}}", "}}"]
)
def test_a_value_is_never_read_again(value: str) -> None:
    assert text("a {{x}} {{user}} b", variables={"x": value}, user=value) == f"a {value} {value} b"


@pytest.mark.parametrize(
    "name", ["constructor", "__proto__", "toString", "prototype", "__class__", "__init__", "hasOwnProperty"]
)
def test_names_of_the_language_are_unknown(name: str) -> None:
    assert text(f"{{{{{name}}}}}", variables={"a": "b"}) == f"{{{{{name}}}}}"
    assert codes(f"{{{{{name}}}}}") == [("UNKNOWN_MACRO", f"{{{{{name}}}}}")]


def test_fields_and_their_other_names() -> None:
    fields = {"description": "D {{user}}", "charVersion": "2", "personality": "", "greeting": "Hi", "greeting::1": "Yo"}
    source = "{{description}}|{{charDescription}}|{{char_version}}|[{{personality}}]"
    assert text(source, fields=fields) == "D {{user}}|D {{user}}|2|[]"
    assert text("{{greeting}} {{greeting::0}} {{charFirstMessage::1}} {{greeting::2}}", fields=fields) == (
        "Hi Hi Yo {{greeting::2}}"
    )


def test_a_field_that_is_not_known_stays_and_is_told_from_a_misspelt_one() -> None:
    source = "{{persona}} {{persnoa}}"
    assert text(source) == source
    assert codes(source) == [("MACRO_WITHOUT_VALUE", "{{persona}}"), ("UNKNOWN_MACRO", "{{persnoa}}")]


def test_a_variable_stands_in_for_a_field_without_value() -> None:
    assert text("{{summary}}", variables={"summary": "so far"}) == "so far"
    assert text("{{summary}}", variables={"summary": "so far"}, fields={"summary": ""}) == ""


def test_original_is_there_once() -> None:
    assert text("{{original}}[{{original}}]", fields={"original": "Main."}) == "Main.[]"


def test_with_fields_shares_the_store() -> None:
    base = scope()
    assert base.with_fields(model="m").store is base.store
    assert text("{{model}}", fields=dict(base.with_fields(model="m").fields)) == "m"


def test_the_cast() -> None:
    cast = ("Alice", "Cleo")
    assert text("{{group}}|{{charIfNotGroup}}|{{notChar}}", group=cast) == "Alice, Cleo|Alice, Cleo|Cleo, Bob"
    assert text("{{group}}|{{charIfNotGroup}}|{{notChar}}") == "Alice|Alice|Bob"


def test_last_messages() -> None:
    messages = said("user: Hello {{char}}", "assistant: Hi", "user: And now?", "system: Note")
    source = "{{lastMessage}}|{{lastUserMessage}}|{{lastCharMessage}}|{{lastMessageId}}|{{allChatRange}}"
    assert text(source, messages=messages) == "Note|And now?|Hi|3|0-3"
    assert text(source) == "||||"
    assert text("{{lastMessage}}", messages=messages[:1]) == "Hello {{char}}"
