"""`?as=request`: the body and path that each provider would be sent."""

from __future__ import annotations

from typing import Any

import pytest

from chats.providers.anthropic import anthropic_messages, anthropic_tools
from chats.providers.requests import Served, provider_request
from tests.chats.base import CHATML_HI, USER_HI, RenderTestCase

TOOL = {"type": "function", "function": {"name": "look", "description": "Looks.", "parameters": {"type": "object"}}}
TEXT = Served([{"role": "user", "content": "P"}], ["S"], "m", (), 99)
CHAT = Served([{"role": "system", "content": "Y"}, *USER_HI], ["S"], "m", (TOOL,), 99)


@pytest.mark.parametrize(
    ("provider", "served", "path", "body"),
    [
        ("text-completion", TEXT, "/v1/completions", {"model": "m", "prompt": "P", "max_tokens": 99, "stop": ["S"]}),
        (
            "novelai",
            TEXT,
            "/ai/generate",
            {"input": "P", "model": "m", "parameters": {"max_length": 99, "stop_sequences": ["S"]}},
        ),
        ("koboldai", TEXT, "/api/v1/generate", {"prompt": "P", "max_length": 99, "stop_sequence": ["S"]}),
        (
            "ai-horde",
            TEXT,
            "/api/v2/generate/text/async",
            {"prompt": "P", "params": {"max_length": 99, "stop_sequence": ["S"]}, "models": ["m"]},
        ),
        (
            "openai-compatible",
            CHAT,
            "/v1/chat/completions",
            {"model": "m", "messages": CHAT.messages, "tools": [TOOL], "max_tokens": 99, "stop": ["S"]},
        ),
        (
            "anthropic",
            CHAT,
            "/v1/messages",
            {
                "model": "m",
                "system": [{"type": "text", "text": "Y"}],
                "messages": USER_HI,
                "tools": [{"name": "look", "description": "Looks.", "input_schema": {"type": "object"}}],
                "max_tokens": 99,
                "stop_sequences": ["S"],
            },
        ),
    ],
)
def test_each_provider(provider: str, served: Served, path: str, body: dict[str, Any]) -> None:
    assert provider_request(provider, served) == {"path": path, "body": body}


def test_what_has_no_value_is_left_out() -> None:
    bare = Served([{"role": "user", "content": "P"}])
    assert provider_request("text-completion", bare)["body"] == {"prompt": "P"}
    assert provider_request("novelai", bare)["body"] == {"input": "P", "parameters": {}}
    assert provider_request("anthropic", bare)["body"] == {"messages": [{"role": "user", "content": "P"}]}


def test_anthropic_turns_alternate_and_a_prefill_stays_last() -> None:
    messages = [
        {"role": "system", "content": "A"},
        {"role": "system", "content": "B"},
        {"role": "user", "content": "u1"},
        {"role": "user", "content": "u2"},
        {"role": "system", "content": "later"},
        {"role": "assistant", "content": "So"},
    ]
    assert anthropic_messages(messages) == (
        [{"type": "text", "text": "A"}, {"type": "text", "text": "B"}],
        [
            {"role": "user", "content": "u1\n\nu2\n\n<system-reminder>\nlater\n</system-reminder>"},
            {"role": "assistant", "content": "So"},
        ],
    )


def test_anthropic_tool_calls_and_results_are_blocks() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at":"sea"}'}}
    messages = [
        {"role": "user", "content": "Look"},
        {"role": "assistant", "content": "Well", "tool_calls": [call]},
        {"role": "tool", "content": "waves", "tool_call_id": "c1"},
        {"role": "user", "content": "So?"},
    ]
    assert anthropic_messages(messages)[1] == [
        {"role": "user", "content": "Look"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Well"},
                {"type": "tool_use", "id": "c1", "name": "look", "input": {"at": "sea"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "waves"},
                {"type": "text", "text": "So?"},
            ],
        },
    ]
    assert anthropic_tools([{"name": "own"}]) == [{"name": "own"}]


class AsRequestTests(RenderTestCase):
    def ask(self, **body: Any) -> Any:
        return self.post(self.alice, "/api/v1/render?as=request", {"messages": USER_HI, **body})

    def test_it_adds_the_request(self) -> None:
        answer = self.ask(format="chatml", provider="text-completion", model="m").json()
        body = {"model": "m", "prompt": CHATML_HI, "stop": ["<|im_end|>"]}
        self.assertEqual(answer["request"], {"path": "/v1/completions", "body": body})
        self.assertEqual(answer["prompt"], CHATML_HI)

    def test_a_prefill_is_in_the_prompt_or_last(self) -> None:
        text = self.ask(format="chatml", provider="koboldai", assistantPrefill="Sure").json()["request"]["body"]
        self.assertEqual(text["prompt"], CHATML_HI + "Sure")
        chat = self.ask(provider="anthropic", assistantPrefill="Sure").json()["request"]["body"]
        self.assertEqual(chat["messages"], [*USER_HI, {"role": "assistant", "content": "Sure"}])

    def test_without_a_provider_there_is_none(self) -> None:
        error = self.assert_error(self.ask(), 422, "VALIDATION")
        self.assertEqual(error["details"][0]["path"], "provider")

    def test_another_shape_is_refused(self) -> None:
        response = self.post(self.alice, "/api/v1/render?as=poem", {"messages": USER_HI})
        error = self.assert_error(response, 422, "VALIDATION")
        self.assertEqual(error["details"][0]["path"], "as")

    def test_what_the_body_leaves_out_is_told_only_where_it_is_asked_for(self) -> None:
        body = {"messages": [{**USER_HI[0], "name": "Zed"}], "provider": "anthropic", "strict": True}
        asked = self.ask(**body)
        self.assertEqual(asked.status_code, 200)
        self.assertEqual(asked.json()["request"]["body"], {"messages": USER_HI})
        last = asked.json()["findings"][-1]
        self.assertEqual((last["code"], last["path"]), ("NAME_NOT_SENT", "messages[0].name"))
        plain = self.render(**body)
        self.assertEqual(plain["findings"], asked.json()["findings"][:-1])

    def test_the_answers_messages_keep_their_arguments_and_tools_follow_the_post_processing(self) -> None:
        call = {"id": "c", "function": {"name": "look", "arguments": {"at": "sea"}}}
        messages = [*USER_HI, {"role": "assistant", "tool_calls": [call]}]
        asked = self.ask(messages=messages, tools=[TOOL], provider="openai-compatible").json()
        sent = {"id": "c", "type": "function", "function": {"name": "look", "arguments": '{"at": "sea"}'}}
        self.assertEqual(asked["messages"], messages)
        self.assertEqual(asked["request"]["body"]["messages"][1]["tool_calls"], [sent])
        self.assertEqual(asked["request"]["body"]["tools"], [TOOL])
        merged = self.ask(messages=messages, tools=[TOOL], provider="openai-compatible", postProcessing="merge").json()
        self.assertNotIn("tools", merged["request"]["body"])
        self.assertEqual(merged["findings"][-1]["code"], "TOOLS_NOT_SENT")
