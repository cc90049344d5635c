"""POST /tokenize: the same text and the same count as a render's."""

from __future__ import annotations

from typing import Any

from tests.chats.base import CHATML_HI, USER_HI, RenderTestCase

TOKENIZE = "/api/v1/tokenize"


class TokenizeTests(RenderTestCase):
    def tokenize(self, **body: Any) -> dict[str, Any]:
        response = self.post(self.alice, TOKENIZE, body)
        assert response.status_code == 200, response.content
        return response.json()

    def test_a_text_has_tokens_with_ids_and_texts(self) -> None:
        self.assertEqual(
            self.tokenize(text="hello world", tokenizer="o200k"),
            {
                "count": 2,
                "tokens": [24912, 2375],
                "tokenStrings": ["hello", " world"],
                "profile": "o200k_base",
                "approximate": False,
            },
        )

    def test_an_estimate_says_so(self) -> None:
        answer = self.tokenize(text="你好世界")
        self.assertEqual((answer["count"], answer["tokens"], answer["profile"]), (2, [], "estimate"))
        self.assertTrue(answer["approximate"])

    def test_messages_are_counted_as_a_render_counts_them(self) -> None:
        for profile in ("estimate", "o200k_base"):
            with self.subTest(profile):
                answer = self.tokenize(messages=USER_HI, format="chatml", tokenizer=profile)
                self.assertEqual("".join(answer["tokenStrings"]), CHATML_HI)
                budget = self.render(format="chatml", tokenizer=profile)["tokenBudget"]
                self.assertEqual((budget["promptTokens"], budget["profile"]), (answer["count"], profile))

    def test_the_model_names_the_profile(self) -> None:
        self.assertEqual(self.tokenize(text="a", model="gpt-4o")["profile"], "o200k_base")
        self.assertEqual(self.render(model="gpt-4o-mini")["tokenBudget"]["profile"], "o200k_base")
        self.assertTrue(self.render(model="claude-3")["tokenBudget"]["approximate"])

    def test_text_like_a_special_token_is_counted(self) -> None:
        self.assertGreater(self.tokenize(text="<|endoftext|>", tokenizer="o200k_base")["count"], 1)

    def test_an_unknown_profile_is_refused_where_it_stands(self) -> None:
        for url, body in ((TOKENIZE, {"text": "a"}), ("/api/v1/render", {"messages": USER_HI})):
            error = self.assert_error(self.post(self.alice, url, {**body, "tokenizer": "gpt9"}), 422, "VALIDATION")
            self.assertEqual(error["details"][0]["path"], "tokenizer")

    def test_either_text_or_messages(self) -> None:
        for body in ({}, {"text": "a", "messages": USER_HI}):
            self.assert_error(self.post(self.alice, TOKENIZE, body), 422, "VALIDATION")

    def test_who_may(self) -> None:
        self.assertEqual(self.post(self.bob, TOKENIZE, {"text": "a"}).status_code, 200)
        self.assertEqual(self.post(self.charlie, TOKENIZE, {"text": "a"}).status_code, 200)
        self.make_format(self.alice, slug="own")
        self.assert_error(self.post(self.charlie, TOKENIZE, {"messages": USER_HI, "format": "own"}), 404, "NOT_FOUND")
        response = self.client.post(TOKENIZE, b'{"text": "a"}', content_type="application/json")
        self.assert_error(response, 401, "UNAUTHENTICATED")
