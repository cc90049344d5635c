"""Renders of what the library holds: characters, personas, books, memories, chats and prompt configs by slug."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.chats.base import RENDER, USER_HI, RenderTestCase
from tests.teams import Person

ALICE_CARD = {"id": "mira", "name": "Mira", "description": "{{char}} keeps a lighthouse."}
PERSONA = {"id": "tom", "name": "Tom", "description": "A sailor.", "shared": True}


class StoryTests(RenderTestCase):
    def store(self, path: str, document: dict[str, Any], who: Person | None = None) -> dict[str, Any]:
        response = self.post(who or self.alice, f"/api/v1/{path}", {"document": document})
        assert response.status_code == 201, response.content
        return response.json()

    def texts(self, **body: Any) -> list[tuple[str, str]]:
        answer = self.render(**{"format": None, **body})
        return [(one["role"], one["content"]) for one in answer["messages"]]


class NamedObjectTests(StoryTests):
    def setUp(self) -> None:
        super().setUp()
        self.store("characters", ALICE_CARD)

    def test_a_character_by_its_slug(self) -> None:
        self.assertEqual(
            self.texts(character="mira")[:2],
            [
                ("system", "Write Mira's next reply in a fictional chat between Mira and User."),
                ("system", "Mira keeps a lighthouse."),
            ],
        )

    def test_an_unknown_one_and_another_teams_is_not_found(self) -> None:
        self.refusal(404, "NOT_FOUND", character="nobody")
        self.assert_error(self.post(self.charlie, RENDER, {"messages": USER_HI, "character": "mira"}), 404, "NOT_FOUND")

    def test_a_persona_and_memory(self) -> None:
        self.store("personas", PERSONA)
        self.store("memories", {"id": "tea", "content": "{{user}} likes tea."})
        texts = self.texts(persona="tom", memories=["tea"])
        self.assertEqual(
            texts, [("system", "The user is Tom: A sailor."), ("system", "Tom likes tea."), ("user", "Hi")]
        )

    def test_what_is_private_is_found_by_its_author_alone(self) -> None:
        self.store("personas", {**PERSONA, "shared": False})
        self.assertEqual(self.render(persona="tom")["mode"], "chat")
        self.assert_error(self.post(self.bob, RENDER, {"messages": USER_HI, "persona": "tom"}), 404, "NOT_FOUND")

    def test_a_book_and_a_new_revision_of_it(self) -> None:
        book = {"id": "port", "name": "Port", "entries": [{"uid": "h", "keys": ["hi"], "content": "A harbour."}]}
        made = self.store("lorebooks", book)
        self.assertEqual(self.texts(lorebooks=["port"]), [("system", "A harbour."), ("user", "Hi")])
        book["entries"][0]["content"] = "A quay."  # type: ignore[index]
        saved = self.put(self.alice, "/api/v1/lorebooks/port", {"document": book, "baseRevision": made["revision"]})
        self.assertEqual(saved.status_code, 200, saved.content)
        self.assertEqual(self.texts(lorebooks=["port"])[0], ("system", "A quay."))
        self.assertEqual(self.texts(lorebooks=["port@1"])[0], ("system", "A harbour."))

    def test_books_that_a_character_names_take_part(self) -> None:
        self.store("lorebooks", {"id": "port", "name": "Port", "entries": [{"keys": ["hi"], "content": "A harbour."}]})
        self.store("characters", {"id": "ann", "name": "Ann", "lorebooks": ["port"]})
        self.assertIn(("system", "A harbour."), self.texts(character="ann"))

    def test_a_prompt_config_orders_the_blocks(self) -> None:
        config = {"systemPrompt": "Be brief, {{char}}.", "postHistoryInstructions": "Now."}
        texts = self.texts(character="mira", promptConfig=config)
        self.assertEqual(texts[0], ("system", "Be brief, Mira."))
        self.assertEqual(texts[-1], ("system", "Now."))
        deep = self.texts(promptConfig={**config, "postHistoryDepth": 1})
        self.assertEqual(deep, [("system", "Be brief, Assistant."), ("system", "Now."), ("user", "Hi")])
        waiting = self.texts(promptConfig={**config, "postHistoryTokenTrigger": 100})
        self.assertEqual(waiting, [("system", "Be brief, Assistant."), ("user", "Hi")])

    def test_a_bad_prompt_config_says_where(self) -> None:
        error = self.refusal(422, "VALIDATION", promptConfig={"systemPromt": "x"})
        self.assertEqual(error["details"][0]["path"], "promptConfig.systemPromt")


class ChatTests(StoryTests):
    def setUp(self) -> None:
        super().setUp()
        self.store("characters", ALICE_CARD)
        self.store("personas", PERSONA)

    def chat(self, **settings: Any) -> None:
        self.store("chats", {"id": "night", "name": "Night", "character": "mira", "persona": "tom", **settings})
        for role, text in (("user", "hello {{char}}"), ("assistant", "yo")):
            made = self.post(self.alice, "/api/v1/chats/night/messages", {"role": role, "content": text})
            self.assertEqual(made.status_code, 201, made.content)

    def test_a_chat_brings_messages_and_cast(self) -> None:
        self.chat(authorsNote={"content": "Keep it calm.", "depth": 1}, variables={"place": "the pier"})
        answer = self.render(messages=[], chat="night", userInput="at {{place}}", format=None)
        self.assertEqual(
            [(one["role"], one["content"]) for one in answer["messages"]],
            [
                ("system", "Write Mira's next reply in a fictional chat between Mira and Tom."),
                ("system", "The user is Tom: A sailor."),
                ("system", "Mira keeps a lighthouse."),
                ("user", "hello Mira"),
                ("assistant", "yo"),
                ("system", "Keep it calm."),
                ("user", "at the pier"),
            ],
        )

    def test_what_the_request_says_wins(self) -> None:
        self.chat(variables={"place": "the pier"})
        texts = self.texts(
            messages=[], chat="night", character=None, variables={"place": "home"}, userInput="{{place}}"
        )
        self.assertEqual(texts[0], ("system", "The user is Tom: A sailor."))
        self.assertEqual(texts[-1], ("user", "home"))

    def test_a_chat_is_its_authors_until_shared(self) -> None:
        self.chat()
        self.assert_error(self.post(self.bob, RENDER, {"chat": "night"}), 404, "NOT_FOUND")
        self.refusal(404, "NOT_FOUND", chat="day")

    def test_a_render_writes_nothing_but_the_keys_last_use(self) -> None:
        self.chat()
        self.render(messages=[], chat="night")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            self.render(messages=[], chat="night")
        written = [one["sql"] for one in queries if not one["sql"].lstrip().upper().startswith(("SELECT", "WITH"))]
        self.assertEqual(written, [])

    def test_the_teams_budget_holds_for_a_chat_and_not_for_a_plain_request(self) -> None:
        self.chat()
        self.set_team(self.alice, maxContextTokens=10)
        self.refusal(422, "TOKEN_BUDGET_EXCEEDED", chat="night", messages=[], format="chatml")
        self.assertIsNone(self.render(format="chatml")["tokenBudget"]["contextLimit"])
