"""The frame: stages leave their input alone, say what they did, and render once."""

from __future__ import annotations

import pytest

from chats.pipeline.run import run
from chats.pipeline.sources import Excluded, Sources
from chats.pipeline.stages.assemble import assemble_blocks
from chats.pipeline.stages.user_input import append_user_input
from chats.pipeline.trace import Change
from formats.builtin import builtin
from formats.prompt.errors import MessageError
from formats.prompt.message import Message
from formats.prompt.options import RenderSettings
from tests.chats.pipeline.base import ports

PORTS = ports()
HI = Message("user", "Hi")


def test_the_input_becomes_the_last_message_and_the_source_stays() -> None:
    sources = Sources((HI,), user_input="More")
    step = append_user_input(sources, PORTS)
    assert step.value.history == (HI, Message("user", "More", origin="input"))
    assert step.changes == [Change("added", 1, "input", "the user's input")]
    assert sources.history == (HI,)


def test_no_input_adds_nothing() -> None:
    sources = Sources((HI,))
    assert append_user_input(sources, PORTS).value is sources


def test_excluded_messages_keep_their_place_and_are_listed() -> None:
    gone = Message("user", "Old", id="m", excluded=True)
    step = assemble_blocks(Sources((gone, HI)), PORTS)
    assert step.value.messages == (gone, HI)
    assert step.value.excluded == (Excluded("m", "history", "manual"),)
    assert step.changes == [Change("dropped", 0, "history", "manual", "m")]


@pytest.mark.parametrize("history", [(), (HI,), (HI, Message("assistant", "x", excluded=True))])
def test_only_an_assistants_last_message_is_continued(history: tuple[Message, ...]) -> None:
    with pytest.raises(MessageError, match="continueFinalMessage"):
        assemble_blocks(Sources(history, settings=RenderSettings(continue_final_message=True)), PORTS)


def test_a_run_renders_and_traces_every_stage() -> None:
    result = run(Sources((HI,)), builtin("chatml").compiled, PORTS)
    assert result.text == "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    assert result.stops == ("<|im_end|>",)
    assert result.segments is None
    assert [one.stage for one in result.trace] == ["userInput", "macros", "lore", "memory", "assemble", "fit"]
    assert result.tokens == PORTS.counter.count(result.text or "")


def test_segments_join_to_the_text() -> None:
    result = run(Sources((HI,)), builtin("llama3").compiled, PORTS, segments=True)
    assert "".join(segment.text for segment in result.segments or ()) == result.text


def test_without_a_format_there_are_messages_only_and_their_sum() -> None:
    result = run(Sources((HI,)), None, PORTS)
    assert (result.text, result.stops, result.assembled.messages) == (None, (), (HI,))
    assert result.tokens == PORTS.counter.count("Hi") + 4 + 3
