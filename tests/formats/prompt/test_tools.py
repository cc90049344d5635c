from __future__ import annotations

from typing import Any

import pytest

from formats.prompt import Message, MessageError, render
from tests.formats.prompt.samples import chat, plain

SKY: dict[str, Any] = {"name": "sky", "parameters": {"at": "Óbidos"}}
SEA: dict[str, Any] = {"name": "sea"}
SYSTEM = "<s>{{{content}}}{{{tools}}}{{{skills}}}>"
USER = "<u>{{{tools}}}{{{content}}}>"


def text(changes: dict[str, Any], *turns: str, **arguments: Any) -> str:
    return render(plain(**changes), chat(*turns), **arguments).text


SEA_TEXT = '{"name": "sea"}'
SKY_TEXT = '{"name": "sky", "parameters": {"at": "Óbidos"}}'
PRETTY = '{\n "name": "sea"\n};{\n "name": "sky",\n "parameters": {\n  "at": "Óbidos"\n }\n}'


@pytest.mark.parametrize(
    ("spec", "written"),
    [
        ({}, f"{SEA_TEXT}\n{SKY_TEXT}"),
        ({"asList": True}, f"[{SEA_TEXT}, {SKY_TEXT}]"),
        ({"format": "json_minified"}, '{"name":"sea"}\n{"name":"sky","parameters":{"at":"Óbidos"}}'),
        ({"format": "json_indented", "joiner": ";", "indent": 1}, PRETTY),
        ({"item": "- {{{tool}}}", "section": "[{{{tools}}}]"}, f"[- {SEA_TEXT}\n- {SKY_TEXT}]"),
    ],
    ids=str,
)
def test_the_catalogue_is_written_as_the_section_says(spec: dict[str, Any], written: str) -> None:
    assert text({"system": SYSTEM, "tools": spec}, "s:S", tools=[SEA, SKY]) == f"<s>S{written}><a>"


def test_a_tool_that_is_text_is_printed_as_given() -> None:
    assert text({"system": SYSTEM}, "s:S", tools=["sky()"]) == "<s>Ssky()><a>"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"placement": "system"}, "<s>ST><u>1><a>2><u>3><a>"),
        ({"placement": "first_user"}, "<s>S><u>T1><a>2><u>3><a>"),
        ({"placement": "last_user"}, "<s>S><u>1><a>2><u>T3><a>"),
        ({"placement": "separate"}, "<s>S><s>T><u>1><a>2><u>3><a>"),
        (
            {"placement": "last_user", "userWith": "<U>{{content}}+{{tools}}>", "section": "no"},
            "<s>S><u>1><a>2><U>3+T><a>",
        ),
    ],
    ids=str,
)
def test_the_catalogue_stands_once_where_it_belongs(spec: dict[str, Any], expected: str) -> None:
    changes = {"system": SYSTEM, "user": USER, "tools": spec}
    assert text(changes, "s:S", "u:1", "a:2", "u:3", tools=["T"]) == expected


def test_tools_open_a_system_turn_of_their_own() -> None:
    assert text({"system": SYSTEM}, "u:1", tools=["T"]) == "<s>T><u>1><a>"
    assert text({"system": SYSTEM, "defaultSystem": "D"}, "u:1", tools=["T"]) == "<s>DT><u>1><a>"


def test_skills_open_a_system_turn_of_their_own() -> None:
    skills = [{"name": "add", "description": "Adds."}, {"name": "sub", "description": "Subtracts."}]
    assert text({"system": SYSTEM}, "u:1", skills=skills) == "<s>- add: Adds.\n- sub: Subtracts.><u>1><a>"


def test_a_skill_needs_a_name() -> None:
    with pytest.raises(MessageError) as caught:
        text({"system": SYSTEM}, "u:1", skills=[{"description": "x"}])
    assert caught.value.path == "skills[0].name"


def test_tools_go_where_the_system_text_is_folded() -> None:
    changes = {"tools": {}, "systemPolicy": {"first": "fold_first_user"}}
    assert text(changes, "s:S", "u:1", tools=["T"]) == "<u>ST\n\n1><a>"


@pytest.mark.parametrize("arguments", [{"tools": ["T"]}, {"skills": [{"name": "x"}]}], ids=["tools", "skills"])
def test_what_has_no_place_is_reported(arguments: dict[str, Any]) -> None:
    out = render(plain(), chat("u:1"), **arguments)
    what = next(iter(arguments))
    assert (out.text, [(found.code, found.path) for found in out.findings]) == (
        "<u>1><a>", [(f"{what.upper()}_NOT_PLACED", what)],
    )  # fmt: skip


class TestCalls:
    CALLS = "{{{content}}}{{{toolCalls}}}"

    def called(self, spec: dict[str, Any] | None, *calls: dict[str, Any]) -> str:
        message = Message.model_validate({"role": "assistant", "content": "A", "tool_calls": list(calls)})
        fmt = plain(assistant=f"<a>{self.CALLS}>", toolCalls=spec)
        return render(fmt, [message], add_generation_prompt=False).text

    @pytest.mark.parametrize("arguments", ['{"at": "Óbidos"}', {"at": "Óbidos"}], ids=["text", "object"])
    def test_arguments_are_never_encoded_twice(self, arguments: Any) -> None:
        call = {"id": "c1", "type": "function", "function": {"name": "sky", "arguments": arguments}}
        assert self.called(None, call) == '<a>A{"name": "sky", "arguments": {"at": "Óbidos"}}>'
        spec = {"item": "{{id}}:{{name}}({{{arguments}}})", "section": "[{{{toolCalls}}}]", "joiner": ","}
        assert self.called(spec, call, call) == '<a>A[c1:sky({"at": "Óbidos"}),c1:sky({"at": "Óbidos"})]>'

    def test_arguments_that_are_no_json_stay_text(self) -> None:
        call = {"function": {"name": "sky", "arguments": "{at"}}
        assert self.called(None, call) == '<a>A{"name": "sky", "arguments": "{at"}>'

    def test_no_arguments_are_an_empty_object(self) -> None:
        assert self.called({"item": "{{{arguments}}}"}, {"name": "sky"}) == "<a>A{}>"

    def test_no_calls_leave_no_wrapper(self) -> None:
        assert self.called({"section": "[{{{toolCalls}}}]"}) == "<a>A>"

    def test_calls_without_a_place_are_reported(self) -> None:
        out = render(plain(), [Message("assistant", "A", tool_calls=({"name": "sky"},))])
        assert [found.code for found in out.findings] == ["TOOL_CALLS_NOT_PLACED"]


class TestResults:
    def test_without_a_section_each_result_is_a_turn(self) -> None:
        assert text({}, "t:1", "t:2") == "<t>1><t>2><a>"

    def test_a_run_of_results_is_one_turn(self) -> None:
        spec = {"section": "[{{{toolResults}}}]", "item": "{{toolCallId}}={{content}}", "joiner": ","}
        messages = [Message("tool", "1", tool_call_id="x"), Message("tool", "2", tool_call_id="y"), *chat("u:3", "t:4")]
        assert render(plain(toolResults=spec), messages).text == "<t>[x=1,y=2]><u>3><t>[=4]><a>"
