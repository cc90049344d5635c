"""Properties: the labels join to the text, both paths agree, nothing of the caller is lost or forged."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.builtin import builtin, builtin_slugs
from formats.prompt import InstructFormat, Message, RenderRefused, Segment, render
from formats.prompt.options import RenderSettings
from formats.prompt.plan import Plan
from tests.formats.prompt.samples import chat, plain

# Formats with a Jinja template of their own make no plan.
BUILTINS = [fmt for fmt in map(builtin, builtin_slugs()) if fmt.chat_template is None]
# Llama 2 begins every pair of turns with BOS, OLMo 2 ends every answer with the same token.
WITH_BOS = [fmt for fmt in BUILTINS if fmt.bos and fmt.id not in ("llama2", "olmo2")]
FORMATS = [
    *BUILTINS,
    plain(separator="|", eos="E", prefix="P", bos="B"),
    plain(alternation="merge", separator="|", mergeSeparator=""),
    plain(systemPolicy={"first": "fold_first_user"}, alternation="merge", trim={"system": True}),
    plain(systemPolicy={"first": "fold_last_user", "later": "as_user"}, trim={"user": True}),
    plain(systemPolicy={"later": "merge_first"}, defaultSystem="D"),
    plain(alternation="filler", fillerUser="F"),
    plain(variants={"lastUser": "<U>{{{content}}}>"}, names="prefix"),
    plain(user="<u>{{#if content}}{{trim content}}{{/if}}>", assistant="<a>{{name}}{{{content}}}{{{content}}}>"),
]
ROLES = st.sampled_from(["system", "user", "assistant", "tool"])
TEXTS = st.text(alphabet=" \nab<|>[]{}é🙂", max_size=8)
MESSAGES = st.lists(
    st.builds(
        Message, ROLES, TEXTS, name=st.sampled_from([None, "Ann"]), origin=st.sampled_from(["history", "lore:1"]),
        excluded=st.sampled_from([False, False, False, True]),
    ),
    max_size=7,
)  # fmt: skip
ARGUMENTS = st.fixed_dictionaries(
    {
        "add_generation_prompt": st.booleans(),
        "continue_final_message": st.sampled_from([False, False, True]),
        "prefill": st.sampled_from(["", " Sure"]),
    }
)
QUICK = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])


@QUICK
@given(st.sampled_from(FORMATS), MESSAGES, ARGUMENTS)
def test_the_segments_join_to_the_text(fmt: InstructFormat, messages: list[Message], arguments: dict[str, Any]) -> None:
    try:
        out = render(fmt, messages, **arguments)
    except RenderRefused:
        return
    assert "".join(segment.text for segment in out.segments) == out.text
    assert all(segment.text for segment in out.segments)


@QUICK
@given(st.sampled_from(FORMATS), MESSAGES, ARGUMENTS)
def test_the_hot_and_the_careful_path_agree(
    fmt: InstructFormat, messages: list[Message], arguments: dict[str, Any]
) -> None:
    try:
        plan = Plan(fmt.compiled, messages, RenderSettings(**arguments))
    except RenderRefused:
        with pytest.raises(RenderRefused):
            render(fmt, messages, **arguments)
        return
    out = render(fmt, messages, **arguments)
    assert out.segments == plan.segments
    assert sorted(map(repr, out.findings)) == sorted(map(repr, [*plan.notes, *_token_findings(out)]))


def _token_findings(out: Any) -> list[Any]:
    return [found for found in out.findings if found.code == "SPECIAL_TOKEN_IN_CONTENT"]


@QUICK
@given(st.sampled_from(BUILTINS), MESSAGES)
def test_every_content_appears_once_and_in_order(fmt: InstructFormat, messages: list[Message]) -> None:
    numbered = [
        message.replace(text=f"({at}){message.body}({at})", excluded=False)
        for at, message in enumerate(messages)
        if message.role != "tool"  # Mistral writes a result as JSON
    ]
    if fmt.system_policy.first.startswith("fold") or fmt.system_policy.later == "merge_first":
        numbered = [message for message in numbered if message.role != "system"]
    text, at = render(fmt, numbered).text, 0
    for message in numbered:
        body = message.text or ""
        assert text.count(body) == 1
        at = text.index(body, at) + len(body)


@QUICK
@given(st.sampled_from(WITH_BOS), MESSAGES)
def test_bos_stands_once_and_first(fmt: InstructFormat, messages: list[Message]) -> None:
    messages = [message.replace(text="x") for message in messages]
    text = render(fmt, messages).text
    assert (text.count(fmt.bos), text.startswith(fmt.bos)) == (1, True)
    assert render(fmt, messages, options={"bos": "omit"}).text == text.removeprefix(fmt.bos)


def test_segments_name_field_and_origin() -> None:
    fmt = plain(bos="B", separator="|", eos="E", prefix="P")
    messages = [Message("user", "1", origin="lore:x"), *chat("a:2")]
    assert render(fmt, messages, prefill="+").segments == [
        ("P", "markup", "prefix", None),
        ("B", "markup", "bos", None),
        ("<u>", "markup", "user", 0),
        ("1", "content", "lore:x", 0),
        (">", "markup", "user", 0),
        ("|", "markup", "separator", None),
        ("<a>", "markup", "assistant", 1),
        ("2", "content", "history", 1),
        (">", "markup", "assistant", 1),
        ("E", "markup", "eos", 1),
        ("|", "markup", "separator", None),
        ("<a>", "markup", "promptSuffix", None),
        ("+", "content", "prefill", None),
    ]


def test_a_segment_of_either_making_reads_alike() -> None:
    segment = render(plain(), chat("u:1")).segments[1]
    assert (segment.text, segment.kind, segment.source, segment.message_index) == ("1", "content", "history", 0)
    assert repr(segment) == repr(Segment("1", "content", "history", 0))
    assert segment._replace(text="2") == Segment("2", "content", "history", 0)


def test_a_list_that_grows_later_does_not_change_what_was_rendered() -> None:
    messages = chat("u:1")
    out = render(plain(), messages)
    messages.append(Message("user", "2"))
    assert "".join(segment.text for segment in out.segments) == out.text == "<u>1><a>"
