"""chat_bricks' template documents: their closed grammar, their fields, and what becomes of each fault they have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from formats.interchange.chat_bricks import read_template, split_templates
from formats.prompt import FormatError, InstructFormat, Message, Rendered, render

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "chat_bricks"
PLAIN = {
    "name": "Lamp",
    "system_template": "<s>{system_message}{tools}{skills}>",
    "system_message": "Be kind.",
    "user_template": "<u>{content}>",
    "assistant_template": "<a>{content}{tool_calls}>",
    "observations_template": "<t>{observations}>",
    "single_observation_template": "({observation})",
    "tools_template": "|tools:{tools}",
    "skills_template": "|skills:{skills}",
    "stop_words": [">"],
}
TOOL = {"type": "function", "function": {"name": "föhn", "description": "", "parameters": {}}}
OTHER = {"function": {"name": "b"}}
SKILLS = [{"name": "row", "description": "Rows."}, {"name": "fish", "description": ""}]
CALL = {"id": "c1", "type": "function", "function": {"name": "föhn", "arguments": {"x": 1}}}


def fmt(**fields: Any) -> InstructFormat:
    return InstructFormat.model_validate(read_template({**PLAIN, **fields})[0])


def made(made_from: InstructFormat, *messages: dict[str, Any], **more: Any) -> Rendered:
    return render(made_from, Message.read_all(list(messages)), **{"add_generation_prompt": False, **more})


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def policy(**fields: Any) -> dict[str, Any]:
    return {"tool_policy": {"placement": "SYSTEM", "formatter": {"class": "JsonFormatter"}, **fields}}


def test_every_slot_is_filled_once() -> None:
    tool = '{"type": "function", "function": {"name": "föhn", "description": "", "parameters": {}}}'
    text = made(fmt(), user("Hi"), tools=[TOOL, OTHER], skills=SKILLS).text
    listed = f'{tool}\n{{"function": {{"name": "b"}}}}'
    assert text == f"<s>Be kind.|tools:{listed}|skills:- row: Rows.\n- fish: ><u>Hi>"


def test_calls_and_a_run_of_results() -> None:
    turns = [{"role": "assistant", "content": "", "tool_calls": [CALL]}]
    results = [{"role": "Tool", "content": "24"}, {"role": "tool", "content": "8"}]
    rendered = made(fmt(), user("Hi"), *turns, *results)
    assert rendered.text == '<s>Be kind.><u>Hi><a>{"name": "föhn", "arguments": {"x": 1}}><t>(24)(8)>'
    assert [finding.code for finding in rendered.findings] == ["ROLE_ALIAS"]


def test_doubled_braces_are_braces_and_braces_of_a_message_are_its_own() -> None:
    shape = fmt(user_template="{{u}}{content}{{}}")
    assert made(shape, user("{tools} {{x}}")).text == "<s>Be kind.>{u}{tools} {{x}}{}"


@pytest.mark.parametrize(
    "text", ["{content!r}", "{content[0]}", "{content.x}", "{content:>9}", "{}", "{0}", "{", "}", "{tools}"]
)
def test_what_is_no_slot_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_template({**PLAIN, "user_template": f"one\n {text}"})
    assert (caught.value.path, caught.value.line, caught.value.column, caught.value.code) == (
        "user_template", 2, 2, "TEMPLATE_SYNTAX"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("placement", "expected"),
    [
        ("SYSTEM", "<s>Be kind.|tools:T><u>Hi><a>Ho><u>So>"),
        ("FIRST_USER", "<s>Be kind.><w>T|Hi><a>Ho><u>So>"),
        ("LAST_USER", "<s>Be kind.><u>Hi><a>Ho><w>T|So>"),
        # `<s>` opens every system turn, so it is read as a BOS, which stands once.
        ("SEPARATE", "<s>Be kind.>|tools:T><u>Hi><a>Ho><u>So>"),
    ],
)
def test_tools_stand_once_at_their_place(placement: str, expected: str) -> None:
    shape = fmt(user_template_with_tools="<w>{tools}|{content}>", **policy(placement=placement))
    turns = [user("Hi"), {"role": "assistant", "content": "Ho"}, user("So")]
    assert made(shape, *turns, tools=["T"]).text == expected


def test_a_place_without_a_template_is_the_system_turn() -> None:
    assert made(fmt(**policy(placement="LAST_USER")), user("Hi"), tools=["T"]).text == "<s>Be kind.|tools:T><u>Hi>"


def test_tools_without_a_slot_are_found_missing() -> None:
    rendered = made(fmt(system_template="<s>{system_message}>"), user("Hi"), tools=["T"])
    assert (rendered.text, [one.code for one in rendered.findings]) == ("<s>Be kind.><u>Hi>", ["TOOLS_NOT_PLACED"])


def test_skills_bring_the_system_turn_back() -> None:
    shape = fmt(system_message="", system_policy={"use_system_without_system_message": False})
    assert made(shape, user("Hi")).text == "<u>Hi>"
    assert made(shape, user("Hi"), skills=SKILLS[:1]).text == "<s>|skills:- row: Rows.><u>Hi>"


def test_a_system_text_is_kept_where_the_template_has_its_own() -> None:
    shape = fmt(system_template="Be kind.\n")
    assert made(shape, user("Hi")).text == "Be kind.\n<u>Hi>"
    assert made(shape, {"role": "system", "content": "Be short."}, user("Hi")).text == "Be short.\n<u>Hi>"


def test_the_default_system_template_is_for_chats_without_one() -> None:
    shape = fmt(default_system_template="<d>{system_message}\n")
    assert made(shape, user("Hi")).text == "<d>Be kind.\n<u>Hi>"
    assert made(shape, {"role": "system", "content": "S"}).text == "<s>S>"


@pytest.mark.parametrize(
    ("formatter", "expected"),
    [
        ({"class": "JsonQwenFormatter"}, '{"b": 1, "a": 2}\n{"c": 3}'),
        ({"class": "JsonFormatterNoBreakLine"}, '{"b": 1, "a": 2}{"c": 3}'),
        ({"class": "JsonMinifiedFormatter"}, '{"a":2,"b":1}\n{"c":3}'),
        ({"class": "JsonCompactFormatter"}, '[{"a":2,"b":1},{"c":3}]'),
        ({"class": "JsonIndentedFormatter", "indent": 1}, '{\n "b": 1,\n "a": 2\n}\n\n{\n "c": 3\n}'),
        ({"class": "JsonFormatter", "format_as_list": True}, '[{"b": 1, "a": 2}, {"c": 3}]'),
        ({"class": "YamlFormatter"}, "b: 1\na: 2\nc: 3"),
    ],
)
def test_formatters(formatter: dict[str, Any], expected: str) -> None:
    shape = fmt(system_template="{tools}", tools_template="{tools}", **policy(formatter=formatter))
    assert made(shape, tools=[{"b": 1, "a": 2}, {"c": 3}]).text == expected


def test_one_tool_at_a_time_has_no_joiner() -> None:
    shape = fmt(single_tool_template="\n* {tool}")
    assert made(shape, user("Hi"), tools=["T", "U"]).text == "<s>Be kind.|tools:\n* T\n* U><u>Hi>"


def test_a_function_is_a_loss_and_the_text_stands_as_it_is() -> None:
    document, losses = read_template({**PLAIN, "system_policy": {"content_processor": {"name": "stamp"}}})
    assert (document["bos"], document["system"]) == ("<s>", "{{{content}}}{{{tools}}}{{{skills}}}>")
    assert [loss.path for loss in losses] == ["system_policy.content_processor"]


def test_the_generation_prompt_is_what_opens_a_reply() -> None:
    assert fmt(assistant_template="{{A}}{content}").prompt_suffix == "{A}"
    assert fmt(generation_prompt="<g>").prompt_suffix == "<g>"


def test_an_empty_stop_word_is_a_loss() -> None:
    document, losses = read_template({**PLAIN, "stop_words": ["", "\n"]})
    assert (document["stopStrings"], [loss.path for loss in losses]) == (["\n"], ["stop_words"])


def test_jinja_alone_is_rendered_by_it() -> None:
    source = "{% for message in messages %}{{ message.role }}:{{ message.content }};{% endfor %}"
    document, losses = read_template(
        {"name": "J", "chat_template": source, "user_template": None, "assistant_template": None}
    )
    assert made(InstructFormat.model_validate(document), user("Hi")).text == "user:Hi;"
    assert losses == []


def test_a_registry_is_its_templates() -> None:
    parts = split_templates({"one": PLAIN, "two": PLAIN})
    assert [part.name for part in parts or ()] == ["one", "two"]


@pytest.mark.conformance
@pytest.mark.skipif(not SHARED.exists(), reason="chat_bricks' own renders are not here")
def test_every_row_that_chat_bricks_gets_right_is_equal() -> None:
    known = json.loads((SHARED / "templates.json").read_text()) | json.loads(
        (SHARED / "custom_templates.json").read_text()
    )
    different, compared = [], 0
    formats: dict[tuple[str, str | None], InstructFormat] = {}
    for line in (SHARED / "golden.jsonl").read_text().splitlines():
        row = json.loads(line)
        if "prompt" not in row or row.get("quirks"):
            continue
        key = row["template"], row["placement_override"]
        if key not in formats:
            document = dict(known[row["template"]])
            if key[1]:
                document["tool_policy"] = document["tool_policy"] | {"placement": key[1]}
            formats[key] = InstructFormat.model_validate(read_template(document)[0])
        options: dict[str, Any] = {"now": "2024-07-26T12:00:00"}
        if "render_kwargs" in row:
            options["thinking"] = row["render_kwargs"]["enable_thinking"]
        rendered = render(
            formats[key],
            Message.read_all(row["messages"]),
            tools=row["tools"] or (),
            skills=row["skills"] or (),
            add_generation_prompt=row["add_generation_prompt"],
            options=options,
        )
        compared += 1
        if rendered.text != row["prompt"]:
            different.append((row["template"], row["conv"]))
    assert (different, compared > 600) == ([], True)
