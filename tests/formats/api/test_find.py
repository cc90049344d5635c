"""`POST /formats/find`: by name, by hash, by trying; who may, and what is refused."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock

from formats import catalogue
from neotavern.accounts import selectors
from neotavern.accounts.services import keys
from tests.teams import TeamTestCase

FIND = "/api/v1/formats/find"
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


class FindTests(TeamTestCase):
    def found(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        answer = self.post(self.bob, FIND, body)
        self.assertEqual(answer.status_code, 200, answer.content)
        return answer.json()["matches"]

    def test_a_template_is_found_by_what_it_prints(self) -> None:
        self.assertEqual(self.found({"chatTemplate": CHATML})[0], {"slug": "chatml", "how": "probe", "differs": None})

    def test_a_difference_is_shown_at_its_place(self) -> None:
        matches = self.found({"chatTemplate": CHATML.replace("<|im_end|>\n{% endfor", "<|im_end|>\n\n{% endfor")})
        self.assertEqual(matches, [])
        matches = self.found({"chatTemplate": CHATML.replace("{% endif %}", "<think>{% endif %}")})
        differs = {match["slug"]: match["differs"] for match in matches}
        self.assertIn("“one user”, character 69: the template prints", differs["chatml"])

    def test_a_model_is_found_by_its_name(self) -> None:
        self.assertEqual(
            self.found({"model": "someone/Meta-Llama-3-8B-Instruct-GGUF"})[0],
            {"slug": "llama3", "how": "name", "differs": None},
        )

    def test_a_template_is_found_by_its_hash(self) -> None:
        digest = catalogue.template_hash(CHATML)
        with mock.patch.object(catalogue, "_hashes", return_value={digest: "chatml"}):
            for text in (CHATML, f"{CHATML}\n", json.dumps({"chat_template": CHATML, "bos_token": "<s>"})):
                self.assertEqual(
                    self.found({"chatTemplate": text})[0], {"slug": "chatml", "how": "hash", "differs": None}
                )

    def test_a_name_comes_before_what_merely_prints_the_same(self) -> None:
        slugs = [match["slug"] for match in self.found({"chatTemplate": CHATML, "model": "Hermes-2-Pro-Mistral-7B"})]
        self.assertEqual(slugs[:2], ["hermes2", "chatml"])

    def test_an_unknown_model_has_no_match(self) -> None:
        self.assertEqual(self.found({"model": "no-such-thing"}), [])

    def test_it_needs_one_of_the_two(self) -> None:
        for body in ({}, {"chatTemplate": " ", "model": ""}, {"model": None}):
            answer = self.post(self.bob, FIND, body)
            self.assertEqual((answer.status_code, answer.json()["error"]["code"]), (422, "VALIDATION"))

    def test_a_template_that_is_no_jinja_is_refused_at_its_place(self) -> None:
        answer = self.post(self.bob, FIND, {"chatTemplate": "one\n{% if %}"})
        error = answer.json()["error"]
        self.assertEqual((answer.status_code, error["code"]), (422, "TEMPLATE_SYNTAX"))
        self.assertEqual((error["details"][0]["path"], error["details"][0]["line"]), ("chatTemplate", 2))

    def test_a_hostile_template_finds_nothing(self) -> None:
        self.assertEqual(self.found({"chatTemplate": "{{ 'x' * 10**10 }}"}), [])

    def test_everybody_with_a_key_that_reads(self) -> None:
        for who in (self.alice, self.bob, self.charlie):
            self.assertEqual(self.post(who, FIND, {"model": "llama3"}).status_code, 200)

    def test_it_needs_a_key_that_reads(self) -> None:
        self.assert_error(self.post(None, FIND, {"model": "llama3"}), 401, "UNAUTHENTICATED")
        self.bob.key = keys.make_key(actor=selectors.command_actor(self.team), name="r", scopes=("render",)).key
        self.assert_error(self.post(self.bob, FIND, {"model": "llama3"}), 403, "FORBIDDEN")

    def test_unknown_fields_are_named(self) -> None:
        self.assert_error(self.post(self.bob, FIND, {"name": "llama3"}), 422, "VALIDATION")
