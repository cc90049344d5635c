"""Generation types: each prompt ends as its reply has to begin, the prefill last of all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chats.pipeline.run import run
from chats.pipeline.sources import Sources
from formats.builtin import builtin
from formats.prompt import InstructFormat
from formats.prompt.message import Message
from formats.prompt.options import RenderSettings
from tests.chats.pipeline.base import cast, message, ports, rendered, wire

CHAT = (message("user", "U1"), message("assistant", "A1"))
CARD = {"name": "Ann", "post_history_instructions": "PHI", "extensions": {"depth_prompt": {"prompt": "N", "depth": 0}}}
NAMES = InstructFormat.model_validate({
    "kind": "instruct-format", "version": 2, "id": "names", "name": "Names", "names": "prefix", "separator": "\n",
    "system": "{{{content}}}", "user": "{{{content}}}", "assistant": "{{{content}}}", "tool": "{{{content}}}",
})  # fmt: skip


def named(*history: Message, **more: object) -> str:
    sources = Sources(history, cast=cast({"name": "Ann"}, {"name": "Bob"}), **more)  # type: ignore[arg-type]
    return (run(sources, NAMES.compiled, ports()).text or "").partition("\n")[2]


def test_normal_opens_the_assistants_turn() -> None:
    assert rendered(*CHAT, user_input="U2").text == (
        "<|im_start|>user\nU1<|im_end|>\n<|im_start|>assistant\nA1<|im_end|>\n<|im_start|>user\nU2<|im_end|>\n"
        "<|im_start|>assistant\n"
    )


def test_continue_leaves_the_last_turn_open_and_nothing_follows_it() -> None:
    settings = {"continue_final_message": True, "prefill": " and"}
    text = rendered(*CHAT, cast=cast(CARD), generation_type="continue", settings=settings).text or ""
    assert text.endswith(
        "<|im_start|>system\nN<|im_end|>\n<|im_start|>system\nPHI<|im_end|>\n<|im_start|>assistant\nA1 and"
    )


def test_regenerate_leaves_the_reply_out() -> None:
    result = rendered(*CHAT, generation_type="regenerate")
    assert result.text == "<|im_start|>user\nU1<|im_end|>\n<|im_start|>assistant\n"
    assert [(one.origin, one.reason) for one in result.assembled.excluded] == [("history", "regenerate")]
    assert wire(rendered(message("user", "U1"), generation_type="regenerate")) == [("user", "U1")]


def test_impersonate_opens_the_users_turn() -> None:
    settings = {"prefill": "I "}
    result = rendered(*CHAT, generation_type="impersonate", settings=settings)
    assert (result.text or "").endswith("A1<|im_end|>\n<|im_start|>user\nI ")
    assert "".join(one.text for one in result.segments or ()) == result.text


def test_impersonate_keeps_the_space_of_the_users_prefix() -> None:
    form = InstructFormat.model_validate({
        "kind": "instruct-format", "version": 2, "id": "m", "name": "M", "system": "{{{content}}}",
        "user": "[INST] {{{content}}} [/INST]", "assistant": "{{{content}}}", "tool": "{{{content}}}",
    })  # fmt: skip
    assert run(Sources((), generation_type="impersonate"), form.compiled, ports()).text == "[INST] "


def test_impersonate_asks_an_arrays_reader() -> None:
    result = wire(rendered(*CHAT, form=None, cast=cast(persona={"name": "Bob"}), generation_type="impersonate"))
    assert result[-1] == ("system", "[Write the next message of Bob in this chat, from Bob's point of view.]")


def test_quiet_does_not_speak_in_the_characters_name() -> None:
    assert named(message("user", "Hi")) == "Bob: Hi\nAnn:"
    assert named(message("user", "Hi"), generation_type="quiet") == "Bob: Hi"
    assert named(message("user", "Hi"), generation_type="impersonate") == "Bob: Hi\nBob: "


def test_names_of_the_cast_stand_before_turns_without_one() -> None:
    settings = RenderSettings(continue_final_message=True)
    history = (message("assistant", "Hello!"), message("user", "How are you?"), message("assistant", "I am"))
    assert named(*history, settings=settings) == "Ann: Hello!\nBob: How are you?\nAnn: I am"


@pytest.mark.parametrize("kind", ["normal", "regenerate", "impersonate", "quiet"])
def test_the_prefill_is_the_end(kind: str) -> None:
    for form in ("chatml", "llama3", "mistral"):
        text = rendered(*CHAT, user_input="x", form=form, generation_type=kind, settings={"prefill": "P!"}).text or ""
        assert text.endswith("P!")


def test_a_block_for_one_type_stands_there_alone() -> None:
    from chats.pipeline.blocks import BUILTIN_BLOCKS, Block

    blocks = (*BUILTIN_BLOCKS, Block("custom-q", content="Q", triggers=("quiet",)))
    for kind, is_there in (("quiet", True), ("normal", False)):
        assert (("system", "Q") in wire(rendered(*CHAT, blocks=blocks, generation_type=kind))) is is_there


def test_the_filler_turn_is_a_source_text() -> None:
    form = replace_filler("Let's begin, {{user}} and {{char}}.")
    sources = Sources(
        (message("assistant", "Hello."),), cast=cast({"name": "Ann"}, {"name": "Bob"}), filler_user=form.filler_user
    )
    assert "Let's begin, Bob and Ann." in (run(sources, form.compiled, ports()).text or "")
    assert "{{user}}" in (run(replace(sources, macros=False), form.compiled, ports()).text or "")


def replace_filler(text: str) -> InstructFormat:
    return builtin("chatml").model_copy(update={"alternation": "filler", "filler_user": text})
