"""The guide's own code: templates, policies, formatters, registry, as they are written there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from formats.bricks import (
    TEMPLATES,
    AssistantPolicy,
    Chat,
    Formatter,
    GlobalPolicy,
    JsonCompactFormatter,
    JsonFormatter,
    JsonIndentedFormatter,
    NameTaken,
    SkillPolicy,
    SystemPolicy,
    Template,
    ToolPlacement,
    ToolPolicy,
    get_template,
    register_template,
)
from formats.builtin import builtin
from formats.prompt import FormatError, Message, MessageError, render

TOOL = {"function": {"name": "tide", "parameters": {}}}
CALL = {"id": "c1", "function": {"name": "tide", "arguments": {"at": "noon"}}}
HI = [{"role": "user", "content": "Hi"}]


@pytest.fixture(autouse=True)
def _own_registry() -> Iterator[None]:
    before = dict(TEMPLATES._own), set(TEMPLATES._hidden)
    yield
    TEMPLATES._own, TEMPLATES._hidden = before


def lamp(**fields: Any) -> Template:
    shape = {
        "system_template": "<s>{system_message}{tools}{skills}>",
        "user_template": "<u>{content}>",
        "assistant_template": "<a>{content}{tool_calls}>",
        "tools_template": "|{tools}",
        "system_message": "Be kind.",
    }
    return Template(**{"name": "lamp", **shape, **fields})


def text(template: Template, messages: list[dict[str, Any]] = HI, **more: Any) -> str:
    return Chat(template=template, messages=messages, **more).prompt()


def test_a_prompt_has_no_generation_prompt_unless_asked() -> None:
    chat = Chat(template=lamp(), messages=HI)
    assert chat.prompt() == "<s>Be kind.><u>Hi>"
    assert chat.prompt(add_generation_prompt=True) == "<s>Be kind.><u>Hi><a>"


def test_a_role_in_another_spelling_is_read_and_reported() -> None:
    chat = Chat(
        template=lamp(observations_template="<t>{observation}>"), messages=[*HI, {"role": "Tool", "content": "24"}]
    )
    assert chat.prompt() == "<s>Be kind.><u>Hi><t>24>"
    assert [(one.code, one.path) for one in chat.findings] == [("ROLE_ALIAS", "messages[1].role")]


def test_other_programs_words_for_role_and_content() -> None:
    assert text(lamp(), [{"from": "human", "value": "Hi"}]) == "<s>Be kind.><u>Hi>"


def test_an_unknown_role_is_refused_with_its_place() -> None:
    with pytest.raises(MessageError) as caught:
        text(lamp(), [{"role": "ghost", "content": "Boo"}])
    assert caught.value.path == "messages[0].role"


def test_a_processor_of_the_text_alone_and_one_that_takes_the_tools() -> None:
    loud = SystemPolicy(content_processor=lambda system_message: system_message.upper())
    counted = SystemPolicy(content_processor=lambda text, tools: f"{text}[{tools}]")
    assert text(lamp(system_policy=loud)) == "<s>BE KIND.><u>Hi>"
    assert text(lamp(system_policy=counted), tools=["T"]) == "<s>Be kind.[|T]|T><u>Hi>"
    assert text(lamp(system_policy=loud), [{"role": "system", "content": "x"}]) == "<s>X>"


def test_processors_of_turns_tools_calls_and_skills() -> None:
    template = lamp(
        assistant_policy=AssistantPolicy(content_processor=str.strip),
        tool_policy=ToolPolicy(
            content_processor=lambda tool: tool["function"], tool_call_content_processor=lambda call: f"!{call['id']}"
        ),
        skill_policy=SkillPolicy(content_processor=lambda skill: {**skill, "name": "N"}),
        skills_template="/{skills}",
    )
    turns = [*HI, {"role": "assistant", "content": " Ho ", "tool_calls": [CALL]}]
    shown = text(template, turns, tools=[TOOL], skills=[{"name": "a", "description": "b"}])
    assert shown == '<s>Be kind.|{"name": "tide", "parameters": {}}/- N: b><u>Hi><a>Ho!c1>'


def test_a_formatter_of_a_users_own() -> None:
    class Names(Formatter):
        def format(self, tools: Any) -> str:
            return ",".join(tool["function"]["name"] for tool in tools)

    assert text(lamp(tool_policy=ToolPolicy(formatter=Names())), tools=[TOOL, TOOL]) == "<s>Be kind.|tide,tide><u>Hi>"


@pytest.mark.parametrize(
    ("formatter", "expected"),
    [
        (JsonFormatter(indent=2), '{\n  "b": 1\n}'),
        (JsonIndentedFormatter(), '{\n    "b": 1\n}'),
        (JsonCompactFormatter(), '[{"b":1}]'),
        (JsonFormatter(format_as_list=True), '[{"b": 1}]'),
    ],
)
def test_formatters(formatter: Formatter, expected: str) -> None:
    assert text(lamp(tool_policy=ToolPolicy(formatter=formatter)), tools=[{"b": 1}]) == f"<s>Be kind.|{expected}><u>Hi>"


def test_placement_with_the_first_user_turn() -> None:
    policy = ToolPolicy(placement=ToolPlacement.FIRST_USER)
    template = lamp(user_template_with_tools="<u>{content}|{tools}>", tool_policy=policy)
    assert text(template, tools=["T"]) == "<s>Be kind.><u>Hi|T>"


def test_skills_as_objects() -> None:
    @dataclass
    class Skill:
        name: str
        description: str = ""

    template = lamp(skills_template="/{skills}")
    assert text(template, skills=[Skill("row", "Rows."), Skill("fish")]) == "<s>Be kind./- row: Rows.\n- fish: ><u>Hi>"


def test_a_prefix_and_stop_words() -> None:
    template = lamp(global_policy=GlobalPolicy(prefix="<b>"), stop_words=[">"])
    rendered = Chat(template=template, messages=HI).render()
    assert (rendered.text, rendered.stop_strings) == ("<b><s>Be kind.><u>Hi>", [">"])


def test_braces_in_a_message_stay() -> None:
    assert (
        text(lamp(), [{"role": "user", "content": "{tools} {{x}}"}], tools=["T"]) == "<s>Be kind.|T><u>{tools} {{x}}>"
    )


def test_a_slot_that_is_none_is_refused_at_registration() -> None:
    with pytest.raises(FormatError) as caught:
        register_template(lamp(user_template="{content.__class__}"))
    assert caught.value.path == "user_template"
    assert "lamp" not in TEMPLATES


def test_the_registry() -> None:
    register_template(lamp())
    with pytest.raises(NameTaken):
        register_template(lamp())
    register_template(lamp(system_message="Other."), override=True)
    assert Chat(template="lamp", messages=HI).prompt() == "<s>Other.><u>Hi>"
    assert "lamp" in list(TEMPLATES.keys())
    del TEMPLATES["lamp"]
    assert "lamp" not in TEMPLATES


def test_a_copy_shares_nothing() -> None:
    register_template(lamp(stop_words=["x"]))
    copied = get_template("lamp")
    (copied.stop_words or []).append("y")
    copied.tool_policy.placement = ToolPlacement.SEPARATE
    kept = get_template("lamp")
    assert (kept.stop_words, kept.tool_policy.placement) == (["x"], ToolPlacement.SYSTEM)


def test_a_registered_template_is_not_changed_from_outside() -> None:
    mine = lamp()
    register_template(mine)
    mine.system_message = "Changed."
    assert get_template("lamp").system_message == "Be kind."


def test_a_template_of_the_catalogue_with_another_system_text() -> None:
    modified = get_template("chatml").copy()
    modified.name, modified.system_message = "chatml-modified", "Be terse."
    modified.user_template = "<u>{content}>"
    register_template(modified)
    shown = Chat(template="chatml-modified", messages=HI).prompt(add_generation_prompt=True)
    assert shown == "<|im_start|>system\nBe terse.<|im_end|>\n<u>Hi><|im_start|>assistant\n"


def test_an_unknown_name_names_the_nearest() -> None:
    with pytest.raises(KeyError, match="chatml"):
        get_template("chatmll")


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(TypeError, match="enable_thinking"):
        Chat(template=lamp(), messages=HI).prompt(thinking_hard=True)


def test_what_a_chat_is_given_is_not_changed() -> None:
    turns = [{"role": "assistant", "content": "Ho", "tool_calls": [CALL]}]
    chat = Chat(template=lamp(), messages=turns, ignore_tool_calls=True)
    chat.append({"role": "user", "content": "So"})
    assert (chat.prompt(), len(turns), "tool_calls" in turns[0]) == ("<s>Be kind.><a>Ho><u>So>", 1, True)


def test_jinja_of_a_template() -> None:
    assert "im_start" in get_template("chatml").jinja_template()
    assert Template(name="j", chat_template="{{ x }}").jinja_template() == "{{ x }}"


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("my-custom-template", "System: Be short.User: HiAssistant: Ho</s>Tool: 24"),
        ("simple-chat", "Be short.\nUser: Hi\nAssistant: Ho\nUser: 24\n"),
        ("xml-style", "<system>Be short.</system>\n<user>Hi</user>\n<assistant>Ho</assistant>\n<user>24</user>\n"),
        ("markdown-style", "# System\nBe short.\n\n## User\nHi\n\n## Assistant\nHo\n\n## User\n24\n\n"),
        ("tool-enabled", "System: Be short.\nUser: Hi\nAssistant: Ho\nTool Response: 24\n"),
        ("vision-enabled", "Be short.\nUser: Hi\nAssistant: Ho\nUser: 24\n"),
        (
            "custom-jinja",
            "\n            System: Be short.\n            User: Hi\n"
            "            Assistant: Ho\n            Tool: 24\n    ",
        ),
    ],
)
def test_the_guides_templates_are_built_in(slug: str, expected: str) -> None:
    turns = [{"role": "system", "content": "Be short."}, *HI, {"role": "assistant", "content": "Ho"}]
    messages = Message.read_all([*turns, {"role": "Tool", "content": "24"}])
    assert render(builtin(slug), messages, add_generation_prompt=False).text == expected
