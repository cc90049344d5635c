"""Every built-in against the official template of its family, over all conversations that the template takes."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from formats.builtin import builtin
from formats.prompt import Message, render
from tests.formats.builtin.official import OFFICIAL, TEMPLATES, Refused, render_official

pytestmark = [
    pytest.mark.conformance,
    pytest.mark.skipif(not OFFICIAL.is_dir(), reason="the measuring data is not here"),
]

CONTENTS = (
    "Hello",
    "  spaces around \n",
    "line one\nline two",
    "<b>\"A\" & 'B'</b> {{user}} {% if %}",
    "é ‚ 漢字 🙂",
    "{{{content}}}",
)
# chujiezheng's Alpaca strips every content; ours strips nothing (contract, decision 15).
TRIMMED_ELSEWHERE = {"alpaca": str.strip}
# Conversations that these templates take, and drop the system text of without a word; we keep it.
LOSING = {"command-r": {"usu", "sus"}, "alpaca": {"usu", "sus"}, "mistral-v3": {"s"}, "mistral-v3-tekken": {"s"}}
# Role orders: with and without a system message, one and many turns, what strict templates refuse.
ORDERS = (
    "s", "u", "su", "ua", "sua", "uau", "suau", "suaua", "uauua",
    "uu", "suu", "au", "sau", "ssu", "sus", "usu", "uasu",
)  # fmt: skip
ROLES = {"s": "system", "u": "user", "a": "assistant"}


def conversations(slug: str) -> list[list[dict[str, Any]]]:
    made = []
    orders = [order for order in ORDERS if order not in LOSING.get(slug, ())]
    for order, shift in itertools.product(orders, range(len(CONTENTS))):
        texts = itertools.islice(itertools.cycle(CONTENTS), shift, None)
        made.append([{"role": ROLES[role], "content": text} for role, text in zip(order, texts, strict=False)])
    return made


@pytest.mark.parametrize("generate", [True, False], ids=["generate", "closed"])
@pytest.mark.parametrize("slug", TEMPLATES)
def test_it_renders_what_the_official_template_renders(slug: str, generate: bool) -> None:
    clean = TRIMMED_ELSEWHERE.get(slug, str)
    compared = 0
    for raw in conversations(slug):
        messages = [message | {"content": clean(message["content"])} for message in raw]
        try:
            expected = render_official(slug, messages, generate=generate)
        except Refused:
            continue
        out = render(builtin(slug), Message.read_all(messages), add_generation_prompt=generate)
        assert out.text == expected, messages
        compared += 1
    assert compared >= 6 * len(CONTENTS)


def call(call_id: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "sky", "arguments": '{"at": "Óbidos"}'}}


def calling(*ids: str) -> dict[str, Any]:
    return {"role": "assistant", "content": "", "tool_calls": [call(call_id) for call_id in ids]}


def result(call_id: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def said(role: str, content: str) -> dict[str, Any]:
    return {"role": ROLES[role], "content": content}


TOOLS = [{"type": "function", "function": {"name": "sky", "parameters": {"type": "object", "properties": {}}}}]
ONE, TWO = "abcdefgh1", "abcdefgh2"
WITH_TOOLS = {
    "only a user": [said("u", "Hi")],
    "a system text and two users": [said("s", "S"), said("u", "Hi"), said("a", "A"), said("u", "B")],
    "a call": [said("u", "Hi"), calling(ONE)],
    "a call and its result": [said("u", "Hi"), calling(ONE), result(ONE, "blue"), said("a", "It is blue.")],
    "parallel calls": [
        *[said("u", "Hi"), calling(ONE, TWO), result(ONE, "blue"), result(TWO, "red")],
        *[said("a", "Both."), said("u", "Thanks")],
    ],
}


@pytest.mark.parametrize("messages", WITH_TOOLS.values(), ids=WITH_TOOLS)
@pytest.mark.parametrize("slug", ["mistral", "mistral-v3", "mistral-v3-tekken"])
def test_tools_calls_and_results_too(slug: str, messages: list[dict[str, Any]]) -> None:
    expected = render_official(slug, messages, generate=True, tools=TOOLS)
    assert render(builtin(slug), Message.read_all(messages), tools=TOOLS).text == expected
