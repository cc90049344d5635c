"""A whole chat, as front ends keep them: a card, a persona, a book of 200 entries, 300 messages, an 8k window."""

from __future__ import annotations

from typing import Any

from tests.chats.base import RENDER, RenderTestCase

PROVIDERS = ("text-completion", "novelai", "ai-horde", "koboldai", "openai-compatible", "anthropic")
PROMPTS = {"text-completion": "prompt", "novelai": "input", "ai-horde": "prompt", "koboldai": "prompt"}
CARD = {
    "spec": "chara_card_v2",
    "data": {
        "name": "Seraphina", "description": "{{char}} guards the glade.", "personality": "Gentle.",
        "scenario": "A forest.",
        "first_mes": "Greetings, {{user}}.", "mes_example": "<START>\n{{user}}: Who are you?\n{{char}}: A guardian.",
        "system_prompt": "{{original}} Stay kind.", "post_history_instructions": "Remember {{user}}.",
        "extensions": {"depth_prompt": {"prompt": "{{char}} whispers.", "depth": 2, "role": "system"}, "fav": False},
        "character_book": {"entries": [
            {"keys": ["glade"], "content": "The glade is {{char}}'s.", "enabled": True, "insertion_order": 5},
        ]},
    },
}  # fmt: skip


def story() -> dict[str, Any]:
    entries = [{"keys": [f"place{at}"], "content": f"place{at} is far. " * 20} for at in range(199)]
    turns = [{"role": "assistant", "content": "Greetings, {{user}}."}]
    turns += [
        {"role": ("user", "assistant")[at % 2], "content": f"Turn {at}: " + "we walked to the old glade and back. " * 6}
        for at in range(299)
    ]
    return {
        "messages": turns,
        "userInput": "And place7, {{char}}?",
        "character": CARD,
        "persona": {"name": "Aster", "description": "A traveller."},
        "lorebooks": [
            {"name": "world", "entries": [*entries, {"keys": [], "constant": True, "content": "Magic is rare."}]}
        ],
        "maxContextTokens": 8192,
        "reserveForReply": 1024,
        "tokenizer": "o200k_base",
        "assistantPrefill": "*smiles* ",
        "randomSeed": 1,
        "format": "chatml",
    }


SYSTEM = (
    "Write Seraphina's next reply in a fictional chat between Seraphina and Aster. Stay kind.",
    "The glade is Seraphina's.",
    "place7 is far. " * 20,
    "Magic is rare.",
    "The user is Aster: A traveller.",
    "Seraphina guards the glade.",
    "Gentle.",
    "A forest.",
    "Aster: Who are you?\nSeraphina: A guardian.",
)
"""The blocks before the history, in their order: prompt, lore of card and book, persona, card, examples."""

STOPS = ["<|im_end|>"]
PREFILL = "*smiles* "
INPUT = "And place7, Seraphina?"


def kept_turns(left_out: int) -> list[tuple[str, str]]:
    """The turns of the chat that stay when so many of the oldest left, the note of the card at its depth among them."""
    turns = [(one["role"], one["content"]) for one in story()["messages"]][left_out:]
    return [*turns[:-1], ("system", "Seraphina whispers."), turns[-1]]


def chatml(turns: list[tuple[str, str]]) -> str:
    """The text of these turns, the reply begun with the prefill."""
    made = "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text in turns)
    return f"{made}<|im_start|>assistant\n{PREFILL}"


def expected_request(provider: str, left_out: int) -> tuple[str, dict[str, Any]]:
    """Path and body that the provider is to be sent."""
    array = [
        *(("system", text) for text in SYSTEM), *kept_turns(left_out), ("user", INPUT), ("system", "Remember Aster."),
    ]  # fmt: skip
    text = chatml(array)
    messages = [{"role": role, "content": content} for role, content in (*array, ("assistant", PREFILL))]
    bodies: dict[str, tuple[str, dict[str, Any]]] = {
        "text-completion": ("/v1/completions", {"model": "m", "prompt": text, "max_tokens": 1024, "stop": STOPS}),
        "novelai": (
            "/ai/generate",
            {"input": text, "model": "m", "parameters": {"max_length": 1024, "stop_sequences": STOPS}},
        ),
        "ai-horde": (
            "/api/v2/generate/text/async",
            {"prompt": text, "params": {"max_length": 1024, "stop_sequence": STOPS}, "models": ["m"]},
        ),
        "koboldai": ("/api/v1/generate", {"prompt": text, "max_length": 1024, "stop_sequence": STOPS}),
        "openai-compatible": ("/v1/chat/completions", {"model": "m", "messages": messages, "max_tokens": 1024}),
        "anthropic": ("/v1/messages", anthropic(left_out)),
    }
    return bodies[provider]


def anthropic(left_out: int) -> dict[str, Any]:
    """Leading system messages apart, later ones within the user's turn, neighbours joined, the prefill last."""
    *turns, note, newest = kept_turns(left_out)
    reminders = [f"<system-reminder>\n{text}\n</system-reminder>" for text in (note[1], "Remember Aster.")]
    last = "\n\n".join([reminders[0], newest[1], INPUT, reminders[1]])
    messages = [*turns, ("user", last), ("assistant", PREFILL)]
    return {
        "model": "m",
        "system": [{"type": "text", "text": text} for text in SYSTEM],
        "messages": [{"role": role, "content": content} for role, content in messages],
        "max_tokens": 1024,
    }


class SixProvidersTests(RenderTestCase):
    def test_all_of_them(self) -> None:
        for provider in PROVIDERS:
            with self.subTest(provider):
                response = self.post(
                    self.alice, f"{RENDER}?as=request", {**story(), "provider": provider, "model": "m"}
                )
                self.assertEqual(response.status_code, 200, response.content)
                self.check(provider, response.json())

    def check(self, provider: str, answer: dict[str, Any]) -> None:
        budget = answer["tokenBudget"]
        self.assertLessEqual(budget["promptTokens"], 8192 - 1024)
        self.assertGreater(budget["promptTokens"], 6000)
        self.assertTrue(answer["excluded"])
        self.assertEqual({one["reason"] for one in answer["excluded"]}, {"context-shift"})
        path, expected = expected_request(provider, len(answer["excluded"]))
        body = answer["request"]["body"]
        self.maxDiff = 2000
        self.assertEqual((answer["request"]["path"], body), (path, expected))
        text = body[PROMPTS[provider]] if provider in PROMPTS else str(body)
        for part in (
            "between Seraphina and Aster. Stay kind.", "The user is Aster: A traveller.", "Seraphina guards the glade.",
            "Magic is rare.", "place7 is far.", "The glade is Seraphina's.", "Seraphina whispers.", "Remember Aster.",
            "And place7, Seraphina?", "Seraphina: A guardian.",
        ):  # fmt: skip
            self.assertIn(part, text.replace('\\"', '"').replace("\\'", "'"))
        self.assertNotIn("place8 is far.", text)
        if provider in PROMPTS:
            self.assertTrue(text.endswith("<|im_start|>assistant\n*smiles* "))
        else:
            self.assertEqual(body["messages"][-1], {"role": "assistant", "content": "*smiles* "})

    def test_the_trace_says_why_a_line_is_there_and_another_is_not(self) -> None:
        answer = self.post(self.alice, RENDER, {**story(), "trace": True}).json()
        lore = next(stage for stage in answer["trace"] if stage["stage"] == "lore")
        told = {one["id"]: (one["reason"], one["data"].get("key")) for one in lore["added"]}
        self.assertEqual(told["7"], ("key", "place7"))
        self.assertEqual("".join(one["text"] for one in answer["segments"]), answer["prompt"])
        self.assertIn("lore:7", {one["source"] for one in answer["segments"]})
        fit = answer["trace"][-1]
        self.assertEqual((fit["stage"], fit["tokens"]), ("fit", answer["tokenBudget"]["promptTokens"]))
        self.assertEqual(len(fit["dropped"]), len(answer["excluded"]))

    def test_too_small_a_window_says_what_fills_it(self) -> None:
        response = self.post(self.alice, RENDER, {**story(), "maxContextTokens": 1100})
        error = self.assert_error(response, 422, "TOKEN_BUDGET_EXCEEDED")
        self.assertEqual((error["params"]["contextLimit"], error["params"]["reservedForReply"]), (1100, 1024))
        self.assertGreater(error["params"]["promptTokens"], 76)
        self.assertTrue(any(one["path"] == "character" for one in error["details"]))


class InterceptorTests(RenderTestCase):
    def test_a_chats_interceptors_run(self) -> None:
        rules = [{"type": "replace", "find": "Hi", "replace": "Hello"}]
        made = self.post(
            self.alice, "/api/v1/interceptors", {"document": {"id": "polite", "name": "Polite", "rules": rules}}
        )
        self.assertEqual(made.status_code, 201, made.content)
        chat = {"id": "night", "name": "Night", "interceptors": ["polite"]}
        self.assertEqual(self.post(self.alice, "/api/v1/chats", {"document": chat}).status_code, 201)
        answer = self.render(chat="night", format=None, trace=True)
        self.assertEqual(answer["messages"], [{"role": "user", "content": "Hello"}])
        stages = {stage["stage"]: stage for stage in answer["trace"]}
        self.assertEqual(stages["interceptors"]["changed"][0]["data"], {"interceptor": "Polite"})
