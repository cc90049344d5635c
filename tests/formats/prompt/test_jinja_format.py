"""A format with a `chatTemplate` renders like any other: policies, endings, labels, findings, errors."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from formats.prompt import FormatError, InstructFormat, Message, MessageError, Rendered, RenderRefused, Segment, render
from tests.formats.prompt.samples import chat, plain

SOURCE = (
    "{{ bos_token }}{% for m in messages %}<{{ m.role[0] }}>{{ m.content }}"
    "{% if m.role == 'assistant' %}{{ eos_token }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<a>{% endif %}"
)
TOOL = {"type": "function", "function": {"name": "tide", "description": "High water.", "parameters": {}}}


def jinja(source: str = SOURCE, **changes: Any) -> InstructFormat:
    return plain(**({"chatTemplate": source, "bos": "^", "eos": "$"} | changes))


def text(fmt: InstructFormat, *turns: str, **arguments: Any) -> str:
    return render(fmt, chat(*turns), **arguments).text


def wire(fmt: InstructFormat, *messages: Any, **arguments: Any) -> Rendered:
    return render(fmt, Message.read_all(list(messages)), **arguments)


def labels(out: Rendered) -> list[tuple[str, str, int | None]]:
    assert "".join(piece.text for piece in out.segments) == out.text
    return [(piece.text, piece.source, piece.message_index) for piece in out.segments if piece.kind == "content"]


def test_renders() -> None:
    assert text(jinja(), "s:Be", "u:1", "a:2", "u:3") == "^<s>Be<u>1<a>2$<u>3<a>"


def test_the_role_templates_print_nothing() -> None:
    assert text(jinja(user="never {{{content}}}"), "u:1") == "^<u>1<a>"


def test_prefix_comes_before_and_bos_is_a_value() -> None:
    fmt = jinja(prefix="#")
    assert text(fmt, "u:1") == "#^<u>1<a>"
    assert text(fmt, "u:1", options={"bos": "omit"}) == "#<u>1<a>"


def test_stop_strings_are_the_formats() -> None:
    assert render(jinja(stopStrings=["$"]), chat("u:1")).stop_strings == ["$"]


def test_no_generation_prompt_and_prefill() -> None:
    assert text(jinja(), "u:1", "a:2", add_generation_prompt=False) == "^<u>1<a>2$"
    assert text(jinja(), "u:1", prefill="Once") == "^<u>1<a>Once"


def test_continuing_leaves_the_turn_open() -> None:
    assert text(jinja(), "u:1", "a:Once ", continue_final_message=True, prefill="upon") == "^<u>1<a>Once upon"


def test_an_open_turn_keeps_its_white_space_where_the_template_strips() -> None:
    fmt = jinja(SOURCE.replace("m.content", "m.content | trim"))
    assert text(fmt, "u:1 ", "a: Once ", continue_final_message=True) == "^<u>1<a>Once "


def test_continuing_an_empty_turn() -> None:
    assert text(jinja(), "u:1", "a:", continue_final_message=True) == "^<u>1<a>"


def test_only_an_assistant_is_continued() -> None:
    with pytest.raises(RenderRefused) as caught:
        text(jinja(), "u:1", continue_final_message=True)
    assert caught.value.path == "messages[0].role"


def test_a_template_that_hides_the_last_message_can_not_be_continued() -> None:
    with pytest.raises(RenderRefused, match="does not print the end of the last message"):
        text(
            jinja("{% for m in messages[:-1] %}{{ m.content }}{% endfor %}"), "u:1", "a:2", continue_final_message=True
        )


@pytest.mark.parametrize(
    ("changes", "turns", "expected"),
    [
        ({"defaultSystem": "Be"}, ("u:1",), "^<s>Be<u>1<a>"),
        ({"defaultSystem": "Be"}, ("s:Do", "u:1"), "^<s>Do<u>1<a>"),
        ({"systemPolicy": {"first": "fold_first_user"}}, ("s:Be", "u:1", "a:2", "u:3"), "^<u>Be\n\n1<a>2$<u>3<a>"),
        ({"systemPolicy": {"first": "fold_last_user"}}, ("s:Be", "u:1", "a:2", "u:3"), "^<u>1<a>2$<u>Be\n\n3<a>"),
        ({"systemPolicy": {"first": "as_user", "wrap": "[{{{content}}}]"}}, ("s:Be", "u:1"), "^<u>[Be]<u>1<a>"),
        ({"systemPolicy": {"first": "drop"}}, ("s:Be", "u:1"), "^<u>1<a>"),
        ({"systemPolicy": {"later": "as_user"}}, ("u:1", "s:Be"), "^<u>1<u>Be<a>"),
        ({"systemPolicy": {"later": "merge_first"}}, ("s:Be", "u:1", "s:Do"), "^<s>Be\n\nDo<u>1<a>"),
        ({"alternation": "merge"}, ("u:1", "u:2", "a:3"), "^<u>1\n\n2<a>3$<a>"),
        ({"alternation": "filler", "fillerUser": "…"}, ("a:1", "u:2"), "^<u>…<a>1$<u>2<a>"),
        ({"trim": {"user": True}}, ("u: 1 ", "a: 2 "), "^<u>1<a> 2 $<a>"),
    ],
)
def test_policies_prepare_the_array(changes: dict[str, Any], turns: tuple[str, ...], expected: str) -> None:
    assert text(jinja(**changes), *turns) == expected


def test_names() -> None:
    source = "{% for m in messages %}<{{ m.name }}|{{ m.content }}>{% endfor %}"
    said = ({"role": "user", "name": "Ann", "content": "Hi"}, {"role": "assistant", "name": "Bo", "content": "Ho"})
    assert wire(jinja(source, names="template"), *said).text == "<Ann|Hi><Bo|Ho>"
    assert wire(jinja(source, names="none"), *said).text == "<|Hi><|Ho>"
    assert wire(jinja(source, names="prefix"), *said).text == "<|Ann: Hi><|Bo: Ho>Bo:"


def test_excluded_messages_take_no_part() -> None:
    assert (
        wire(jinja(), {"role": "user", "content": "1"}, {"role": "user", "content": "2", "excluded": True}).text
        == "^<u>1<a>"
    )


def test_thinking_goes_to_the_switch() -> None:
    fmt = jinja("{{ enable_thinking if enable_thinking is defined else 'unset' }}{{ messages[0].content }}")
    assert [text(fmt, "u:!", options={"thinking": value}) for value in (True, False, None)] == [
        "True!",
        "False!",
        "unset!",
    ]


def test_a_template_without_a_switch_for_thinking_is_named() -> None:
    out = render(jinja(), chat("u:1"), options={"thinking": True})
    assert [(one.code, one.path) for one in out.findings] == [("THINKING_NOT_PLACED", "thinking")]


def test_the_date_is_the_one_given() -> None:
    fmt = jinja("{{ strftime_now('%Y-%m-%d') }}{{ messages[0].content }}")
    assert text(fmt, "u:!", options={"now": datetime(2026, 3, 5, tzinfo=UTC)}) == "2026-03-05!"
    assert text(fmt, "u:!", options={"now": "2026-03-05T10:00:00"}) == "2026-03-05!"
    with pytest.raises(RenderRefused, match="give the date with the option `now`"):
        text(fmt, "u:!")
    with pytest.raises(MessageError, match="is no date and time"):
        text(fmt, "u:!", options={"now": "tomorrow"})


TOOLS_SOURCE = (
    "{% if tools %}[{% for t in tools %}{{ t | tojson }}{% endfor %}]{% endif %}"
    "{% for m in messages %}<{{ m.role }}{{ m.tool_call_id }}>{% if m.content %}{{ m.content }}{% endif %}"
    "{% for c in m.tool_calls or [] %}({{ c.id }} {{ c.function.name }} {{ c.function.arguments | tojson }})"
    "{% endfor %}{% endfor %}"
)


def called(arguments: Any) -> tuple[dict[str, Any], ...]:
    call = {"id": "c1", "type": "function", "function": {"name": "tide", "arguments": arguments}}
    return (
        {"role": "user", "content": "When?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": "noon", "tool_call_id": "c1"},
    )


def test_tools_calls_and_results() -> None:
    out = wire(jinja(TOOLS_SOURCE), *called({"at": "sea"}), tools=[TOOL])
    assert out.text == (
        '[{"type": "function", "function": {"name": "tide", "description": "High water.", "parameters": {}}}]'
        '<user>When?<assistant>(c1 tide {"at": "sea"})<toolc1>noon'
    )
    assert out.findings == []
    assert labels(out) == [("When?", "history", 0), ("sea", "toolCalls", 1), ("noon", "history", 2)]


def test_arguments_given_as_text_are_not_encoded_twice() -> None:
    assert '(c1 tide {"at": "sea"})' in wire(jinja(TOOLS_SOURCE), *called('{"at": "sea"}')).text


def test_arguments_are_text_where_the_template_prints_them_as_they_are() -> None:
    source = TOOLS_SOURCE.replace("c.function.arguments | tojson", "c.function.arguments")
    assert '(c1 tide {"at": "sea"})' in wire(jinja(source), *called({"at": "sea"})).text


def test_null_content_is_empty_where_the_template_would_print_it() -> None:
    source = (
        "{% for m in messages %}<{{ m.content }}>"
        "{% for c in m.tool_calls or [] %}{{ c.function.name }}{% endfor %}{% endfor %}"
    )
    assert wire(jinja(source), *called({})).text == "<When?><>tide<noon>"
    source = source.replace("<{{ m.content }}>", "{% if m.content is none %}~{% else %}<{{ m.content }}>{% endif %}")
    assert wire(jinja(source), *called({})).text == "<When?>~tide<noon>"


PARTS_SOURCE = (
    "{% for m in messages %}<{{ m.role }}>{% if m.content is string %}{{ m.content }}{% else %}"
    "{% for p in m.content %}{% if p.type == 'text' %}{{ p.text }}{% elif p.type == 'image' %}[pic]{% endif %}"
    "{% endfor %}{% endif %}{% endfor %}"
)
PART, PICTURE = {"type": "text", "text": "What?"}, {"type": "image", "image": "x.png"}


def test_parts() -> None:
    out = wire(jinja(PARTS_SOURCE), {"role": "user", "content": [PICTURE, PART]})
    assert (out.text, out.findings) == ("<user>[pic]What?", [])
    assert out.media == [{"type": "image", "message": 0, "path": "messages[0].content[0]"}]
    assert labels(out) == [("What?", "history", 0)]


def test_a_part_that_the_template_does_not_print_is_named() -> None:
    out = wire(jinja(PARTS_SOURCE), {"role": "user", "content": [PART, {"type": "video", "video": "x.mp4"}]})
    assert [(one.code, one.path) for one in out.findings] == [("PART_DROPPED", "messages[0].content[1]")]
    assert (out.text, out.media) == ("<user>What?", [])


def test_pictures_are_left_out_where_the_template_would_print_the_list() -> None:
    out = wire(jinja(), {"role": "user", "content": [PICTURE, PART]})
    assert (out.text, out.media) == ("^<u>What?<a>", [])
    assert [(one.code, one.path) for one in out.findings] == [("PART_DROPPED", "messages[0].content[0]")]


def test_text_parts_are_one_text_for_templates_that_know_no_parts() -> None:
    assert (
        wire(jinja(), {"role": "user", "content": [PART, {"type": "text", "text": " Now?"}]}).text
        == "^<u>What? Now?<a>"
    )


def test_text_is_a_part_for_templates_that_know_nothing_else() -> None:
    source = "{% for m in messages %}{% for p in m.content %}{{ p['text'] }};{% endfor %}{% endfor %}"
    assert text(jinja(source), "u:1", "a:2") == "1;2;"


def test_skills_are_handed_over_and_missed() -> None:
    skills = [{"name": "knots", "description": "Ties."}]
    fmt = jinja("{% for s in skills or [] %}{{ s.name }}: {{ s.description }}{% endfor %}{{ messages[0].content }}")
    assert render(fmt, chat("u:!"), skills=skills).text == "knots: Ties.!"
    assert [one.code for one in render(jinja(), chat("u:!"), skills=skills, tools=[TOOL]).findings] == [
        "TOOLS_NOT_PLACED",
        "SKILLS_NOT_PLACED",
    ]


def test_labels() -> None:
    out = render(jinja(prefix="#"), chat("s:Be", "u: 1 ", "a:", "u:3"), prefill="So")
    assert labels(out) == [("Be", "history", 0), (" 1 ", "history", 1), ("3", "history", 3), ("So", "prefill", None)]
    assert [piece for piece in out.segments if piece.kind == "markup"][:2] == [
        Segment("#", "markup", "prefix", None),
        Segment("^<s>", "markup", "chatTemplate", None),
    ]


def test_labels_where_the_template_strips() -> None:
    out = render(jinja(SOURCE.replace("m.content", "m.content | trim")), chat("u: 1 ", "a:2\n"))
    assert (out.text, labels(out)) == ("^<u>1<a>2$<a>", [("1", "history", 0), ("2", "history", 1)])


def test_labels_of_a_text_that_the_template_cuts() -> None:
    fmt = jinja("{% for m in messages %}<{{ m.content.split('</think>')[-1] }}>{% endfor %}")
    out = render(fmt, chat("u:1", "a:<think>hm</think>2"))
    assert (out.text, labels(out)) == ("<1><2>", [("1", "history", 0), ("2", "history", 1)])


def test_labels_where_the_template_looks_at_one_text() -> None:
    fmt = jinja(
        "{% for m in messages %}{% if m.content.startswith('!') %}loud{% else %}"
        "<{{ m.content }}>{% endif %}{% endfor %}"
    )
    out = render(fmt, chat("u:one", "u:!", "u:two"))
    assert (out.text, labels(out)) == ("<one>loud<two>", [("one", "history", 0), ("two", "history", 2)])


def test_texts_that_are_changed_are_marked_as_unknown() -> None:
    out = render(jinja("{% for m in messages %}{{ m.content[::2] }}{% endfor %}"), chat("u:abcd"))
    assert out.segments == [Segment("ac", "markup", "unknown", None)]
    assert [(one.severity, one.code) for one in out.findings] == [("info", "SEGMENTS_UNKNOWN")]


def test_private_characters_in_a_text() -> None:
    out = render(jinja(), chat("u:\U000f0000x", "a:y"))
    assert labels(out) == [("\U000f0000x", "history", 0), ("y", "history", 1)]


def test_lost_content_is_an_error() -> None:
    out = render(jinja("{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}"), chat("s:Be", "u:1"))
    assert [(one.severity, one.code, one.path) for one in out.findings] == [("error", "CONTENT_LOST", "messages[0]")]


def test_strict_refuses_what_is_lost() -> None:
    with pytest.raises(RenderRefused) as caught:
        render(jinja(), chat("u:1"), tools=[TOOL], options={"strict": True})
    assert [fault.path for fault in caught.value.faults] == ["tools"]


def test_special_tokens_in_content() -> None:
    fmt, turns = jinja(specialTokens=["<|x|>"]), chat("u:a<|x|>b")
    assert [(one.code, one.path) for one in render(fmt, turns).findings] == [
        ("SPECIAL_TOKEN_IN_CONTENT", "messages[0].content")
    ]
    assert render(fmt, turns, options={"specialTokenPolicy": "escape"}).text == "^<u>a<\u2060|x|>b<a>"
    with pytest.raises(RenderRefused) as caught:
        render(fmt, turns, options={"specialTokenPolicy": "reject"})
    assert caught.value.path == "messages[0].content"


def test_a_token_made_of_content_and_markup_is_refused() -> None:
    with pytest.raises(RenderRefused, match="make the special token"):
        render(jinja(specialTokens=["<u>1"]), chat("u:1"), options={"specialTokenPolicy": "escape"})


def test_refusals_of_the_template_are_located() -> None:
    fmt = jinja(
        "\n{% if messages | length > 1 %}{{ raise_exception('Only one!') }}{% endif %}{{ messages[0].content }}"
    )
    with pytest.raises(RenderRefused) as caught:
        text(fmt, "u:1", "u:2")
    fault = caught.value.faults[0]
    assert (fault.path, fault.code, fault.line) == ("chatTemplate", "RENDER_REFUSED", 2)
    assert fault.message == "the chat template refuses the conversation: Only one!"


def test_bounds_are_located() -> None:
    with pytest.raises(RenderRefused) as caught:
        text(jinja("{% if messages[1] %}\n{{ 'x' * 10**10 }}{% endif %}"), "u:1", "a:2")
    fault = caught.value.faults[0]
    assert (fault.path, fault.code, fault.line, fault.column) == ("chatTemplate", "TEMPLATE_LIMIT", 2, 4)


def test_a_template_that_is_no_jinja_is_no_format() -> None:
    with pytest.raises(FormatError) as caught:
        jinja("one\n{% if %}")
    fault = caught.value.faults[0]
    assert (fault.path, fault.code, fault.line) == ("chatTemplate", "TEMPLATE_SYNTAX", 2)


def test_an_effort_that_the_template_does_not_know_is_left_out() -> None:
    source = "{% if reasoning_effort is defined and reasoning_effort != 'low' %}{{ raise_exception('no') }}{% endif %}"
    thinking = "{% if enable_thinking %}?{% endif %}"
    assert text(jinja(source + thinking + SOURCE), "u:1", options={"thinking": True}) == "?^<u>1<a>"
    known = "{{ reasoning_effort|default('none') }}:"
    assert text(jinja(known + SOURCE), "u:1", options={"thinking": True}) == "high:^<u>1<a>"
