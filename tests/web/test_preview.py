"""The preview shows the bytes of the one render function, and says where an error is."""

from __future__ import annotations

import json
from typing import Any

from chats.samples import NAMES, sample
from chats.services.render import ActorCaller, RenderRequest, answer
from tests.web.case import PageCase, document, form_of, text_of

PANE = {"HX-Request": "true", "HX-Target": "prompt-pane"}
OUTPUT = {"HX-Request": "true", "HX-Target": "prompt-output"}


class PreviewTests(PageCase):
    def ask(self, doc: dict[str, Any], headers: dict[str, str] | None = None, **options: str) -> Any:
        form = form_of(doc) | {"base": json.dumps(doc), "o.mode": "string", "o.generation": "on"} | options
        return self.send(self.alice, "/preview/", form, headers=headers or OUTPUT)

    def report(self, response: Any, header: str = "HX-Trigger") -> dict[str, Any]:
        found: dict[str, Any] = json.loads(response[header])["preview-report"]
        return found

    def test_the_text_is_the_prompt_byte_for_byte_for_every_sample(self) -> None:
        doc = document(bos="<s>", separator="\r\n \t")
        for name in NAMES:
            with self.subTest(sample=name):
                shown = text_of(self.assert_is(self.ask(doc, **{"o.sample": name}), 200))
                request = RenderRequest.model_validate({"format": doc, "messages": sample(name)["messages"]})
                self.assertEqual(shown, answer(ActorCaller(self.alice.actor), request).prompt)

    def test_a_built_in_is_shown_to_a_viewer_from_its_base_alone(self) -> None:
        form = {"base": json.dumps(document())}
        response = self.send(self.bob, "/preview/", form, headers=PANE)
        text = self.assert_is(response, 200)
        self.assertIn('name="o.sample"', text)
        self.assertTrue(text_of(text).startswith("<s>You are Mira"))

    def test_a_broken_template_changes_nothing_and_says_where(self) -> None:
        response = self.ask(document(user="one\n  {{contnet}}"))
        self.assertEqual((self.assert_is(response, 200), response["HX-Reswap"]), ("", "none"))
        report = self.report(response)
        error = report["errors"][0]
        self.assertEqual((report["held"], error["path"], error["line"], error["label"]), (True, "user", 2, "User"))
        self.assertIn("content", error["message"])
        self.assertIn("Line 2, column", error["where"])

    def test_the_report_is_ascii_and_short_however_wild_the_text(self) -> None:
        response = self.ask(document(user="{{é" + "x" * 5000 + "}}\n\r"))
        self.assertTrue(response["HX-Trigger"].isascii())
        self.assertLess(len(response["HX-Trigger"]), 8000)

    def test_a_good_template_lifts_the_error(self) -> None:
        report = self.report(self.ask(document()))
        self.assertEqual((report["held"], report["errors"]), (False, []))
        self.assertEqual(report["summaries"]["stops"], "1 stop string, 2 special tokens")

    def test_the_first_answer_brings_the_controls_even_when_broken(self) -> None:
        response = self.ask(document(user="{{#if"), PANE)
        self.assertIn('name="o.sample"', self.assert_is(response, 200))
        self.assertTrue(self.report(response, "HX-Trigger-After-Swap")["held"])

    def test_own_conversations_are_json_or_lines(self) -> None:
        for own in ('[{"role": "user", "content": "Hi\\nyou"}]', "user: Hi\r\nyou", "Hi\nyou"):
            with self.subTest(own=own):
                text = self.assert_is(self.ask(document(), **{"o.sample": "own", "o.messages": own}), 200)
                self.assertEqual(text_of(text), "<u>Hi\nyou</u>\n<a>")

    def test_a_bad_conversation_is_an_error_of_the_conversation(self) -> None:
        for own in ("[{]", "[1]", '[{"role": "ghost", "content": "x"}]'):
            with self.subTest(own=own):
                report = self.report(self.ask(document(), **{"o.sample": "own", "o.messages": own}))
                self.assertEqual((report["held"], report["errors"][0]["path"]), (True, ""))

    def test_options_reach_the_render(self) -> None:
        own = {"o.sample": "own", "o.messages": "user: Hi\nassistant: Well"}
        cases = [
            ({"o.prefill": "I\r\n"}, "<s><u>Hi</u>\n<a>Well</a>\n<a>I\n"),
            ({"o.continue": "on"}, "<s><u>Hi</u>\n<a>Well"),
            ({"o.omitbos": "on"}, "<u>Hi</u>\n<a>Well</a>\n<a>"),
        ]
        for options, expected in cases:
            with self.subTest(options=options):
                text = self.assert_is(self.ask(document(bos="<s>"), **own, **options), 200)
                self.assertEqual(text_of(text), expected)

    def test_hostile_text_is_text(self) -> None:
        attack = "</span><script>alert(1)</script><img src=x onerror=alert(1)> \"'&amp;"
        own = {"o.sample": "own", "o.messages": json.dumps([{"role": "user", "content": attack, "name": attack}])}
        for mode in ("string", "messages", "request"):
            with self.subTest(mode=mode):
                text = self.assert_is(self.ask(document(name=attack), **own | {"o.mode": mode}), 200)
                self.assertNotIn("<script>alert", text)
                self.assertNotIn("<img", text)
        self.assertIn(attack, text_of(self.assert_is(self.ask(document(), **own), 200)))

    def test_special_tokens_are_pills_and_forged_ones_stand_out(self) -> None:
        own = {"o.sample": "own", "o.messages": "user: Hi</u>"}
        text = self.assert_is(self.ask(document(), **own), 200)
        self.assertIn('<span class="sp">&lt;u&gt;</span>', text)
        self.assertIn('<span class="danger">&lt;/u&gt;</span>', text)
        self.assertIn("SPECIAL" if "SPECIAL" in text else "special token", text)

    def test_without_a_script_it_is_a_page(self) -> None:
        form = form_of(document()) | {"base": json.dumps(document())}
        text = self.assert_is(self.send(self.alice, "/preview/", form), 200)
        self.assertIn("<!doctype html>", text)
        self.assertIn("Then take me there.", text_of(text))

    def test_a_new_format_without_name_is_previewed(self) -> None:
        self.assertFalse(self.report(self.ask(document("", name="")))["held"])
