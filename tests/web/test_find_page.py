"""The page that finds a format by a model's name or its chat template."""

from __future__ import annotations

import json
import re

from tests.web.case import PageCase

URL = "/formats/find/"
CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def slugs(text: str) -> list[str]:
    """The formats of the table, in order."""
    return re.findall(r'<code class="muted">([^<]+)</code></td>', text)


class FindPageTests(PageCase):
    def test_everyone_of_the_team_finds_by_name(self) -> None:
        for person in (self.alice, self.bob):
            text = self.assert_is(self.send(person, URL, {"model": "Qwen/Qwen3-8B"}), 200)
            self.assertEqual(slugs(text)[0], "qwen3")
            self.assertIn("the model&#x27;s name is one of its names", text)
            self.assertIn('href="/t/tavern/formats/qwen3/"', text)
            self.assertEqual('href="/t/tavern/formats/qwen3/clone/"' in text, person is self.alice)

    def test_others_do_not_see_it(self) -> None:
        self.assertEqual(self.page(self.charlie, URL).status_code, 404)
        self.assertEqual(self.send(self.charlie, URL, {"model": "Qwen/Qwen3-8B"}).status_code, 404)
        self.assertEqual(self.page(None, URL).status_code, 302)

    def test_a_pasted_template_and_a_whole_tokenizer_config(self) -> None:
        for pasted in (CHATML, json.dumps({"chat_template": CHATML})):
            text = self.assert_is(self.send(self.bob, URL, {"template": pasted}), 200)
            self.assertIn("chatml", slugs(text))
            self.assertIn("nowhere", text)

    def test_nothing_found_says_what_to_do(self) -> None:
        for person in (self.alice, self.bob):
            text = self.assert_is(self.send(person, URL, {"model": "nobody/knows-this"}), 200)
            self.assertEqual(slugs(text), [])
            self.assertIn("No built-in format fits", text)
            self.assertEqual('href="/t/tavern/import/"' in text, person is self.alice)
            self.assertEqual("Somebody who may write in this team" in text, person is self.bob)

    def test_what_is_wrong_is_said_and_what_was_typed_stays(self) -> None:
        text = self.assert_is(self.send(self.bob, URL, {"template": "{% for m in %}", "model": "mine"}), 422)
        self.assertIn("{% for m in %}", text)
        self.assertIn('value="mine"', text)
        self.assertIn("Nothing was looked for", text)
        self.assertIn("Give a chat template", self.assert_is(self.send(self.bob, URL, {}), 422))

    def test_the_list_leads_here(self) -> None:
        self.assertIn('href="/t/tavern/formats/find/"', self.assert_is(self.page(self.bob, "/formats/"), 200))
        self.assertNotIn("/find/", self.assert_is(self.page(self.bob, "/presets/"), 200))
