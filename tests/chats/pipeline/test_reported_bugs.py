"""Bugs that users of other programs reported: each gives the right value here. The cases are the measuring data's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chats.documents import read_book
from chats.lore import LoreSettings, activate, compile_book
from chats.macros import MacroScope, expand
from chats.pipeline.run import run
from chats.pipeline.sources import Sources
from chats.providers.post_processing import post_process
from formats.builtin import builtin
from formats.prompt import InstructFormat
from formats.prompt.message import Message
from tests.chats.pipeline.base import book, cast, memory, message, ports, rendered, wire

pytestmark = pytest.mark.conformance
DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "bugs" / "cases.jsonl"


def case(number: int) -> dict[str, Any]:
    """The case of that number; skips where the measuring data is not there."""
    if not DATA.exists():
        pytest.skip("no measuring data beside the repository")
    lines = (json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines())
    return next(one for one in lines if one["id"] == f"tavern-{number:03d}")


def format_of(user: str, assistant: str, suffix: str = "", **more: Any) -> InstructFormat:
    document = {
        "kind": "instruct-format", "version": 2, "id": "case", "name": "Case", "system": "{{{content}}}", "user": user,
        "assistant": assistant, "tool": "{{{content}}}", "promptSuffix": suffix, **more,
    }  # fmt: skip
    return InstructFormat.model_validate(document)


def text(form: InstructFormat, messages: list[dict[str, Any]], **more: Any) -> str:
    people = more.pop("names", None)
    if people:
        more["cast"] = cast({"name": people["char"]}, {"name": people["user"]})
        more["blocks"] = ()
        more["blocks"] = tuple(one for one in Sources(()).blocks if one.id != "main-prompt")
    sources = Sources(tuple(Message.read_all(messages)), **more)
    return run(sources, form.compiled, ports()).text or ""


# names


def test_a_name_is_glued_to_its_text() -> None:
    given = case(1)
    form = format_of(
        "### Instruction:\n{{{content}}}\n", "### Response:\n{{{content}}}\n", "### Response:\n", names="prefix"
    )
    assert text(form, given["input"]["messages"], names=given["input"]["names"]) == given["expected"]


def test_the_name_of_a_continued_message_stays() -> None:
    given = case(38)
    form = format_of("{{{content}}}", "{{{content}}}", names="prefix", separator="\n")
    from formats.prompt.options import RenderSettings

    made = text(
        form, given["input"]["messages"], names=given["input"]["names"], generation_type="continue",
        settings=RenderSettings(continue_final_message=True),
    )  # fmt: skip
    assert made == given["expected"]


# macros


def test_arguments_are_cut_at_their_own_level() -> None:
    given = case(31)
    drawn = {expand(given["input"]["text"], MacroScope(seed=seed)).text for seed in range(given["input"]["runs"])}
    assert drawn == set(given["expected"]["allowed"])


def test_escaped_braces_are_no_macro() -> None:
    given = case(34)
    history = (message("user", given["input"]["text"]),)
    assert (
        wire(rendered(*history, form=None, cast=cast(persona=given["input"]["names"] and {"name": "Bob"})))[0][1]
        == given["expected"]
    )


def test_noop_stops_trim() -> None:
    given = case(35)
    assert wire(rendered(message("user", given["input"]["text"]), form=None))[0][1] == given["expected"]


def test_the_filler_turn_has_its_names() -> None:
    given = case(37)
    form = format_of(
        "[INST] {{{content}}} [/INST]",
        "{{{content}}}",
        alternation="filler",
        fillerUser=given["input"]["preset"]["user_alignment_message"],
    )
    from formats.prompt.options import RenderSettings

    made = text(
        form, given["input"]["messages"], names=given["input"]["names"], filler_user=form.filler_user,
        settings=RenderSettings(add_generation_prompt=False),
    )  # fmt: skip
    assert made == given["expected"]


def test_values_with_replacement_patterns_are_text() -> None:
    given = case(73)
    variables = given["input"]["context"]
    assert (
        wire(rendered(message("user", given["input"]["template"]), form=None, variables=variables))[0][1]
        == given["expected"]
    )


# lorebooks


def active(entries: list[dict[str, Any]], said: str) -> list[bool]:
    found = compile_book(read_book({"entries": dict(enumerate(entries))})[0], book_id="b")

    class Zero:
        def roll(self, *names: str) -> float:
            return 0.0

    hits = {hit.ref.uid for hit in activate([found], [said], LoreSettings(), Zero()).activated}
    return [str(at) in hits for at in range(len(entries))]


@pytest.mark.parametrize("number", [19, 20])
def test_whole_words(number: int) -> None:
    given = case(number)["input"]
    texts = given.get("texts") or [given["text"]]
    expected = case(number)["expected"]["active"]
    assert [active([given["entry"]], said)[0] for said in texts] == (
        expected if isinstance(expected, list) else [expected]
    )


def test_keys_in_slashes() -> None:
    given = case(22)
    assert active(given["input"]["entries"], given["input"]["text"]) == given["expected"]["active"]


def test_no_chance_and_no_key() -> None:
    given = case(23)
    made = active(given["input"]["entries"], given["input"]["text"])
    contents = [one["content"] for one, is_in in zip(given["input"]["entries"], made, strict=True) if is_in]
    assert contents == given["expected"]["active_contents"]


def test_order_at_one_depth() -> None:
    given = case(40)
    entries = [{**one, "keys": ["Hi"], "position": "at_depth"} for one in given["input"]["injections"]]
    history = Message.read_all(given["input"]["messages"])
    assert wire(rendered(*history, form=None, books=(book(*entries),))) == expected_pairs(given)


def test_a_depth_beyond_the_history() -> None:
    given = case(41)
    entry = {**given["input"]["injection"], "keys": ["Hi"], "position": "at_depth"}
    from dataclasses import replace

    blocks = tuple(
        replace(one, content=given["input"]["preset_messages"][0]["content"], needs_character=False)
        if one.id == "main-prompt" else one
        for one in Sources(()).blocks
    )  # fmt: skip
    history = Message.read_all(given["input"]["history"])
    assert wire(rendered(*history, form=None, books=(book(entry),), blocks=blocks)) == expected_pairs(given)


def expected_pairs(given: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["role"], one["content"]) for one in given["expected"]["messages"]]


# roles


def test_one_system_message_and_alternation() -> None:
    for number in (67, 68):
        given = case(number)
        assert post_process(given["input"]["messages"], "merge") == given["expected"]["messages"]


def test_system_prompt_and_memory_are_the_systems() -> None:
    given = case(70)
    history = [message("system", given["input"]["system_prompt"]), *Message.read_all(given["input"]["messages"])]
    result = rendered(*history, form=None, memories=(memory(given["input"]["memory"]),))
    array = post_process([one.to_wire() for one in result.assembled.messages], given["input"]["postProcessing"])
    assert [one["role"] for one in array] == given["expected"]["roles"]
    assert all(part in array[0]["content"] for part in given["expected"]["system_contains"])


def test_a_later_system_message_opens_no_new_prompt() -> None:
    given = case(64)
    assert text(builtin("command-r"), given["input"]["messages"]) == given["expected"]


# begin of sequence, prefill, white space


@pytest.mark.parametrize("number", [10, 11, 14])
def test_the_begin_token_stands_once(number: int) -> None:
    from formats.prompt.options import RenderSettings

    given = case(number)
    adds = given["input"].get("backend_adds_bos", True)
    settings = RenderSettings(bos="omit" if adds else "keep")
    assert text(builtin("llama3"), given["input"]["messages"], settings=settings) == given["expected"]


@pytest.mark.parametrize("number", [56, 58])
def test_what_is_continued_is_never_trimmed(number: int) -> None:
    from formats.prompt.options import RenderSettings

    given = case(number)
    settings = RenderSettings(continue_final_message=True)
    assert text(builtin("chatml"), given["input"]["messages"], settings=settings) == given["expected"]


def test_the_users_prefix_keeps_its_space() -> None:
    given = case(50)
    form = format_of(given["input"]["user_template"], "{{{content}}}")
    assert text(form, [], generation_type="impersonate") == given["expected"]


# injection


def test_a_forged_turn_is_neutralised_and_said() -> None:
    from formats.prompt.options import RenderSettings

    given = case(59)
    settings = RenderSettings(special_token_policy="escape")
    sources = Sources(tuple(Message.read_all(given["input"]["messages"])), settings=settings)
    result = run(sources, builtin("chatml").compiled, ports())
    assert (result.text or "").count("<|im_start|>") == given["expected"]["turns"]
    assert [(one.code, one.path) for one in result.findings] == [("SPECIAL_TOKEN_ESCAPED", "messages[0].content")]
