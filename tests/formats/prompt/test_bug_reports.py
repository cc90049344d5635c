"""Faults that users of other programs reported: each a conversation and the prompt it should have become."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from formats.builtin import builtin, builtin_slugs
from formats.prompt import InstructFormat, Message, render
from tests.formats.prompt.samples import plain

CASES_FILE = Path(__file__).parents[4] / "shared" / "data" / "bugs" / "cases.jsonl"
# SillyTavern's "wrap": the header on a line of its own, the text on the next.
WRAPPED: dict[str, Any] = {
    "user": "### Instruction:\n{{{content}}}\n",
    "assistant": "### Response:\n{{{content}}}\n",
    "promptSuffix": "### Response:\n",
    "names": "prefix",
}
MISTRAL_1: dict[str, Any] = {
    "bos": "<s>", "eos": "</s>", "promptSuffix": "", "systemPolicy": {"first": "fold_first_user"},
    "user": " [INST] {{{content}}} [/INST]", "assistant": " {{{content}}}",
}  # fmt: skip
GEMMA: dict[str, Any] = {
    "bos": "<bos>", "promptSuffix": "<start_of_turn>model\n", "systemPolicy": {"first": "fold_first_user"},
    "user": "<start_of_turn>user\n{{{content}}}<end_of_turn>\n",
    "assistant": "<start_of_turn>model\n{{{content}}}<end_of_turn>\n",
}  # fmt: skip


def said(*turns: tuple[str, str, str]) -> list[Message]:
    return [Message(role, text, name=name) for role, name, text in turns]


def case_by_case() -> list[Any]:
    if not CASES_FILE.is_file():
        return [pytest.param({}, marks=pytest.mark.skip(reason="the measuring data is not here"))]
    cases = [json.loads(line) for line in CASES_FILE.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(case, id=case["id"]) for case in cases if case["input"].get("format") in builtin_slugs()]


@pytest.mark.conformance
@pytest.mark.parametrize("case", case_by_case())
def test_a_reported_fault_of_a_family_we_have(case: dict[str, Any]) -> None:
    given = case["input"]
    if not isinstance(case["expected"], str) or "messages" not in given:
        pytest.skip("about more than the rendered text")
    adds_bos = given.get("backend_adds_bos") or "add_special_tokens=true" in given.get("transport", "")
    out = render(
        builtin(given["format"]),
        Message.read_all(given["messages"]),
        add_generation_prompt=given.get("generate", False),
        continue_final_message=given.get("mode") == "continue",
        options={"bos": "omit"} if adds_bos else {},
    )
    assert out.text == case["expected"]


@pytest.mark.parametrize(
    ("changes", "messages", "expected"),
    [
        (  # SillyTavern #301: the new line of the header came between the name and its colon
            WRAPPED,
            said(("assistant", "Ann", "Greetings!"), ("user", "Bob", "Hello!")),
            "### Response:\nAnn: Greetings!\n### Instruction:\nBob: Hello!\n### Response:\nAnn:",
        ),
        (  # llama-cpp-python and others: a system text for a family without a system role
            MISTRAL_1,
            said(("system", "", "Be brief."), ("user", "", "Hi")),
            "<s> [INST] Be brief.\n\nHi [/INST]",
        ),
        (  # lm-evaluation-harness #2069: Gemma refused the system role
            GEMMA,
            said(("system", "", "Be brief."), ("user", "", "Hi")),
            "<bos><start_of_turn>user\nBe brief.\n\nHi<end_of_turn>\n<start_of_turn>model\n",
        ),
    ],
    ids=["the name is glued to its text", "mistral v1", "gemma"],
)
def test_a_reported_fault_of_another_layout(changes: dict[str, Any], messages: list[Message], expected: str) -> None:
    assert render(plain(**changes), messages).text == expected


def test_a_continued_message_keeps_its_name_without_a_header() -> None:  # SillyTavern #4415
    bare: InstructFormat = plain(user="{{{content}}}", assistant="{{{content}}}", separator="\n", names="prefix")
    messages = said(("assistant", "Ann", "Hello!"), ("user", "Bob", "How are you?"), ("assistant", "Ann", "I am"))
    assert render(bare, messages, continue_final_message=True).text == "Ann: Hello!\nBob: How are you?\nAnn: I am"
