"""What templates may ask about a turn's place, and the helpers that only formats have."""

from __future__ import annotations

from typing import Any

import pytest

from formats.prompt import Message, MessageError, render
from formats.prompt.options import RenderSettings
from formats.prompt.plan import Plan
from formats.prompt.rendered import HotRender
from tests.formats.prompt.samples import chat, plain

CALL = {"id": "1", "function": {"name": "sky", "arguments": {"at": "x", "n": 2, "on": True, "l": ["a"]}}}
CALLING = Message("assistant", "", tool_calls=(CALL,))


def text(changes: dict[str, Any], *messages: Message, **arguments: Any) -> str:
    return render(plain(**changes), messages, add_generation_prompt=False, **arguments).text


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{#if first}}F{{/if}}{{content}}", "<s>S>F?1<a>2>3"),
        ("{{#if last}}L{{/if}}{{content}}", "<s>S>1<a>2>L3"),
        ("{{index}}{{content}}", "<s>S>01<a>2>23"),
        ("{{previous}}{{content}}", "<s>S>system1<a>2>assistant3"),
        ("{{content}}{{next}}", "<s>S>1assistant<a>2>3"),
        ("{{#if hasSystem}}+{{/if}}{{content}}", "<s>S>+1<a>2>+3"),
        ("{{#if generate}}g{{/if}}{{content}}", "<s>S>1<a>2>3"),
        ("{{#if given}}={{/if}}{{content}}", "<s>S>=1<a>2>=3"),
    ],
)
def test_a_turn_knows_its_place(template: str, expected: str) -> None:
    assert text({"user": template}, *chat("s:S", "u:1", "a:2", "u:3")) == expected.replace("F?", "")


def test_an_assistant_knows_whether_a_user_or_an_answer_follows() -> None:
    template = "{{#if afterLastUser}}L{{/if}}{{#if answered}}A{{/if}}{{content}};"
    said = [*chat("u:1", "a:2", "u:3"), CALLING, Message("tool", "r")]
    assert text({"assistant": template}, *said) == "<u>1>A2;<u>3>L;<t>r>"
    assert text({"assistant": template}, *said, *chat("a:4")) == "<u>1>A2;<u>3>LA;<t>r>LA4;"


def test_a_turn_that_the_format_opens_is_not_given() -> None:
    changes = {"defaultSystem": "D", "system": "{{#unless given}}!{{/unless}}{{content}}"}
    assert text(changes, *chat("u:1")) == "!D<u>1>"
    assert text(changes, *chat("s:S", "u:1")) == "S<u>1>"


def test_the_request_is_known_everywhere() -> None:
    changes = {"user": "{{#if hasTools}}T{{/if}}{{#if (eq thinking false)}}off{{/if}}{{content}}"}
    assert text(changes, *chat("u:1")) == "1"
    assert text(changes, *chat("u:1"), tools=[{"name": "x"}], options={"thinking": False}) == "Toff1"


def test_media_are_known_before_the_system_turn() -> None:
    changes = {"system": "{{#if hasMedia}}M{{/if}}{{content}}", "vision": {"imageToken": "[I]"}}
    picture = Message("user", parts=({"type": "image"},))
    assert text(changes, *chat("s:S"), picture) == "MS<u>[I]>"


def test_facts_are_markup() -> None:
    out = render(plain(user="{{previous}}{{content}}"), chat("a:1", "u:2"), add_generation_prompt=False)
    assert [(segment.text, segment.kind) for segment in out.segments[-2:]] == [
        ("assistant", "markup"),
        ("2", "content"),
    ]


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        ("tojson args", '{"at": "x", "n": 2, "on": true, "l": ["a"]}'),
        ("json args", '{"at":"x","n":2,"on":true,"l":["a"]}'),
        ("textOrJson args.at", "x"),
        ("textOrJson args.l", '["a"]'),
        ("textOrPython args.on", "True"),
        ("textOrPython args.n", "2"),
        ("kind args.n", "number"),
        ("kind args", "object"),
        ('includes args.l "a"', "true"),
        ('includes args.l "b"', "false"),
        ('includes args "at"', "true"),
        ("kind args.l", "array"),
        ("tojson (sorted args)", '{"at": "x", "l": ["a"], "n": 2, "on": true}'),
        ('trimStart " a "', "a "),
        ('trimEnd " a "', " a"),
    ],
)
def test_helpers_of_formats(expression: str, printed: str) -> None:
    changes = {"assistant": "{{{toolCalls}}}", "toolCalls": {"item": f"{{{{{{{expression}}}}}}}"}}
    assert text(changes, CALLING) == printed


def test_trim_lines_takes_line_ends_alone() -> None:
    assert text({"user": "{{{trimLines content}}}"}, Message("user", "\n\n a \n")) == " a \n"


def test_arguments_can_be_written_one_by_one() -> None:
    item = "{{number}}{{name}}{{#each args}}<{{@key}}>{{{textOrJson this}}}{{/each}}{{#if last}}.{{/if}}"
    two = Message("assistant", "", tool_calls=(CALL, {"function": {"name": "sea", "arguments": '{"h": 1}'}}))
    changes = {"assistant": "{{{toolCalls}}}", "toolCalls": {"item": item, "joiner": ","}}
    assert text(changes, two, two) == ('0sky<at>x<n>2<on>true<l>["a"],1sea<h>1.2sky<at>x<n>2<on>true<l>["a"],3sea<h>1.')


def test_a_result_knows_the_tool_that_it_answers() -> None:
    calls = Message("assistant", "", tool_calls=(CALL, {"id": "2", "function": {"name": "sea", "arguments": {}}}))
    changes = {"assistant": "", "toolResults": {"item": "{{callName}}{{number}}={{content}}", "joiner": ","}}
    by_id = [Message("tool", "b", tool_call_id="2"), Message("tool", "a", tool_call_id="1")]
    assert text(changes, calls, *by_id) == "<t>sea0=b,sky1=a>"
    by_place = [Message("tool", "a"), Message("tool", "b")]
    assert text(changes, calls, *by_place) == "<t>sky0=a,sea1=b>"


def test_a_tool_can_be_written_out() -> None:
    tool = {"type": "function", "function": {"name": "sky", "description": "D", "parameters": {"type": "object"}}}
    item = "{{first}}{{name}}:{{description}}:{{{tojson parameters}}}:{{{definition.type}}}:{{{json function}}}"
    written = text({"system": "{{{tools}}}", "tools": {"item": item}}, *chat("s:S"), tools=[tool])
    whole = '{"name":"sky","description":"D","parameters":{"type":"object"}}'
    assert written == f'truesky:D:{{"type": "object"}}:function:{whole}'


def test_special_tokens_inside_arguments_are_guarded() -> None:
    call = {"function": {"name": "x", "arguments": {"<|e|>": "<|e|>"}}}
    changes = {
        "assistant": "{{{toolCalls}}}", "specialTokens": ["<|e|>"],
        "toolCalls": {"item": "{{#each args}}{{@key}}{{this}}{{/each}}"},
    }  # fmt: skip
    options = {"specialTokenPolicy": "escape"}
    assert text(changes, Message("assistant", "", tool_calls=(call,)), options=options) == "<\u2060|e|><\u2060|e|>"


NOW = {"now": "2026-11-30T12:00:00+00:00"}


def test_a_date_comes_from_the_clock_that_was_given() -> None:
    changes = {"system": "{{date}} {{content}}", "processors": [{"name": "date", "format": "%Y-%m-%d"}]}
    assert text(changes, *chat("s:S"), options=NOW) == "2026-11-30 S"


def test_without_a_clock_the_default_stands_and_else_a_finding() -> None:
    changes: dict[str, Any] = {"system": "{{date}}|{{content}}", "processors": [{"name": "date", "default": "one day"}]}
    assert text(changes, *chat("s:S")) == "one day|S"
    out = render(plain(**changes | {"processors": [{"name": "date"}]}), chat("s:S"))
    assert [finding.code for finding in out.findings] == ["DATE_UNKNOWN"]


def test_a_date_header_opens_the_system_text() -> None:
    changes = {"processors": [{"name": "date_header"}]}
    assert text(changes, *chat("s:S", "u:1"), options=NOW) == "<s>Today Date: 30 Nov 2026\n\nS><u>1>"
    assert text(changes, *chat("u:1"), options=NOW) == "<s>Today Date: 30 Nov 2026\n\n><u>1>"
    own = {"processors": [{"name": "date_header", "text": "[{{date}}]", "format": "%d"}]}
    assert text(own, *chat("s:S"), options=NOW) == "<s>[30]S>"


def test_a_wrong_date_is_refused() -> None:
    with pytest.raises(MessageError) as caught:
        text({"processors": [{"name": "date"}]}, *chat("u:1"), options={"now": "soon"})
    assert caught.value.path == "options.now"


HOT = [
    ({"user": "{{#if first}}F{{/if}}{{{content}}}"}, ("s:S", "u:1", "u:2"), True),
    ({"user": '{{#if (eq previous "user")}}+{{/if}}{{{content}}}'}, ("u:1", "u:2", "a:3"), True),
    ({"assistant": "{{#if afterLastUser}}L{{/if}}{{{content}}}"}, ("u:1", "a:2", "u:3"), True),
    ({"assistant": "{{#if afterLastUser}}L{{/if}}{{{content}}}"}, ("u:1", "a:2"), False),
    ({"system": "{{#if content}}<s>{{{content}}}{{/if}}"}, ("s:S", "u:1"), True),
    ({"system": "{{#if content}}<s>{{{content}}}{{/if}}"}, ("s:", "u:1"), False),
    ({"user": "{{{trim content}}}"}, ("u:1",), False),
    ({"reasoning": {"start": "<t>", "end": "</t>", "parse": "exact"}}, ("u:1", "a:2", "u:3"), True),
    ({"reasoning": {"start": "<t>", "end": "</t>", "parse": "exact"}}, ("u:1", "a:<t>2</t>3", "u:4"), False),
]


@pytest.mark.parametrize(("changes", "turns", "is_hot"), HOT, ids=str)
def test_facts_that_neighbours_settle_keep_the_hot_path(
    changes: dict[str, Any], turns: tuple[str, ...], is_hot: bool
) -> None:
    fmt = plain(**changes)
    out = render(fmt, chat(*turns))
    assert isinstance(out, HotRender) == is_hot
    assert out.segments == Plan(fmt.compiled, chat(*turns), RenderSettings()).segments
