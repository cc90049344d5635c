"""POST /apply-template, llama.cpp's shape, under /api/v1 and at the root."""

from __future__ import annotations

from typing import Any

from tests.chats.base import CHATML_HI, LLAMA3_HI, USER_HI, RenderTestCase, tiny_format

URLS = ("/api/v1/apply-template", "/apply-template")


class ApplyTemplateTests(RenderTestCase):
    def prompts(self, **body: Any) -> list[str]:
        answers = [self.post(self.bob, url, {"messages": USER_HI, **body}) for url in URLS]
        for answer in answers:
            self.assertEqual(list(answer.json()), ["prompt"], answer.content)
        return [answer.json()["prompt"] for answer in answers]

    def both(self, prompt: str, **body: Any) -> None:
        self.assertEqual(self.prompts(**body), [prompt, prompt])

    def test_without_a_format_anywhere_it_is_chatml(self) -> None:
        self.both(CHATML_HI)
        self.both(CHATML_HI, format=None)

    def test_the_teams_format(self) -> None:
        self.set_team(self.alice, instructFormat="llama3", serializeAsText=False)
        self.both(LLAMA3_HI)

    def test_a_named_and_an_inline_format(self) -> None:
        self.both(LLAMA3_HI, format="llama3")
        self.both("U:Hi\nA:", format=tiny_format())

    def test_no_generation_prompt_in_either_spelling(self) -> None:
        self.both("<|im_start|>user\nHi<|im_end|>\n", add_generation_prompt=False)
        self.both("<|im_start|>user\nHi<|im_end|>\n", addGenerationPrompt=False)

    def test_macros_stay_as_typed(self) -> None:
        self.both("U:{{user}}\nA:", format=tiny_format(), messages=[{"role": "user", "content": "{{user}}"}])

    def test_tools_reach_the_format(self) -> None:
        tools = [{"type": "function", "function": {"name": "look"}}]
        document = tiny_format(system="S:{{{content}}}{{{tools}}}\n", tools={"item": "{{{tool}}}"})
        for prompt in self.prompts(format=document, tools=tools):
            self.assertIn('"name": "look"', prompt)

    def test_faults_are_located(self) -> None:
        for url in URLS:
            error = self.assert_error(self.post(self.bob, url, {}), 422, "VALIDATION")
            self.assertEqual(error["details"][0]["path"], "messages")
            error = self.assert_error(self.post(self.bob, url, {"messages": USER_HI, "colour": 1}), 422, "VALIDATION")
            self.assertEqual(error["details"][0]["path"], "colour")
            self.assert_error(self.post(self.bob, url, {"messages": USER_HI, "format": "nope"}), 404, "NOT_FOUND")
