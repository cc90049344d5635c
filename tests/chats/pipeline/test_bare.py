"""The way of a plain conversation passes stages over; it gives what all of them together give."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chats.pipeline.budget import Budget
from chats.pipeline.run import is_bare, run
from chats.pipeline.sources import Rendered, Sources
from formats.builtin import builtin
from formats.prompt.errors import PromptError
from formats.prompt.message import Message
from formats.prompt.options import RenderSettings
from tests.chats.pipeline.base import cast, ports

PORTS = ports()
TEXTS = st.lists(
    st.sampled_from([
        "Hi", "", " ", "é", "{{user}}", "{{newline}}", "{", "\\{", "<USER>", "<|im_start|>", "|im_end|>", "<s>",
        "[INST]", "<", ">", "\n", "words that go on for a while",
    ]),
    max_size=4,
).map("".join)  # fmt: skip
MESSAGES = st.lists(
    st.builds(
        Message,
        st.sampled_from(["system", "user", "assistant", "tool"]),
        TEXTS,
        excluded=st.sampled_from([False, False, False, True]),
    ),
    max_size=6,
).map(tuple)
OPTIONS = st.fixed_dictionaries({
    "macros": st.booleans(),
    "generation_type": st.sampled_from(["normal", "normal", "regenerate", "impersonate", "quiet"]),
    "user_input": st.sampled_from(["", "", "More"]),
})  # fmt: skip
SETTINGS = st.sampled_from([RenderSettings(), RenderSettings(prefill="So <"), RenderSettings(bos="omit")])


def outcome(sources: Sources, form: str, *, trace: bool) -> Any:
    """Everything that a caller without a trace can see of a run, errors too."""
    try:
        made: Rendered = run(sources, builtin(form).compiled, PORTS, trace=trace)
    except PromptError as error:
        return type(error), str(error)
    return replace(made, trace=(), sources=None)


@settings(max_examples=300, deadline=None)
@given(MESSAGES, OPTIONS, SETTINGS, st.sampled_from(["chatml", "mistral", "alpaca", "llama3"]))
def test_both_ways_give_the_same(
    messages: tuple[Message, ...], options: dict[str, Any], chosen: RenderSettings, form: str
) -> None:
    sources = Sources(messages, settings=chosen, **options)
    assert outcome(sources, form, trace=False) == outcome(sources, form, trace=True)


HI = Message("user", "Hi")


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (Sources((HI,)), True),
        (Sources((HI, Message("user", "{{user}}"))), False),
        (Sources((HI, Message("user", "{{user}}")), macros=False), True),
        (Sources((HI,), user_input="More"), False),
        (Sources((HI.replace(excluded=True),)), False),
        (Sources((HI,), budget=Budget(1000)), False),
        (Sources((HI,), generation_type="quiet"), False),
        (Sources((HI,), settings=RenderSettings(continue_final_message=True)), False),
        (Sources((HI,), cast=cast({"name": "Mira"})), False),
        (Sources((HI,), filler_user="{{user}}"), False),
    ],
)
def test_what_is_bare(sources: Sources, expected: bool) -> None:
    assert is_bare(sources) is expected


def test_nothing_is_written_down_without_a_trace() -> None:
    assert run(Sources((HI,)), builtin("chatml").compiled, PORTS, trace=False).trace == ()
    assert run(Sources((HI,), user_input="x"), None, PORTS, trace=False).trace == ()
