"""A character's greeting opens the chats that are created with it, and no others."""

from __future__ import annotations

from typing import Any

from formats.services.builtins import load_builtins
from neotavern.library import services
from tests.chats.stored.base import API, StoriesTestCase

GREETING = "Welcome, {{user}}. I am {{char}}."


class GreetingTests(StoriesTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.make("characters", id="mira", name="Mira", first_mes=GREETING, alternate_greetings=["Again?"])

    def texts(self, slug: str) -> list[tuple[str, str]]:
        items = self.get(self.alice, f"{API}/chats/{slug}/messages").json()["items"]
        return [(one["role"], one["content"]) for one in items]

    def chat(self, **document: Any) -> list[tuple[str, str]]:
        self.make("chats", id="night", name="Night", **document)
        return self.texts("night")

    def test_it_is_the_first_message_as_it_was_typed(self) -> None:
        assert self.chat(character="mira") == [("assistant", GREETING)]

    def test_a_render_expands_it(self) -> None:
        self.make("personas", id="tom", name="Tom")
        self.chat(character="mira", persona="tom")
        request = {"chat": "night", "format": "chatml", "messages": [{"role": "user", "content": "Hi"}]}
        load_builtins()
        prompt = self.post(self.alice, f"{API}/render", request).json()["prompt"]
        assert "<|im_start|>assistant\nWelcome, Tom. I am Mira.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n" in prompt
        assert prompt.count("Welcome") == 1

    def test_a_revision_of_the_character_that_the_chat_names(self) -> None:
        document = {"id": "mira", "name": "Mira", "first_mes": "Newer."}
        changed = self.put(self.alice, f"{API}/characters/mira", {"document": document, "baseRevision": 1})
        assert changed.status_code == 200
        assert self.chat(character="mira@1") == [("assistant", GREETING)]
        self.make("chats", id="day", name="Day", character="mira")
        assert self.texts("day") == [("assistant", "Newer.")]

    def test_a_chat_that_says_its_messages_keeps_them(self) -> None:
        assert self.chat(character="mira", messages=[{"role": "user", "content": "Hi"}]) == [("user", "Hi")]
        self.make("chats", id="none", name="None", character="mira", messages=[])
        assert self.texts("none") == []

    def test_nothing_without_a_character_or_a_greeting(self) -> None:
        assert self.chat() == []
        self.make("characters", id="mute", name="Mute", first_mes="  \n")
        self.make("chats", id="quiet", name="Quiet", character="mute")
        assert self.texts("quiet") == []

    def test_a_later_save_adds_none(self) -> None:
        self.chat()
        document = {"id": "night", "name": "Night", "character": "mira"}
        self.put(self.alice, f"{API}/chats/night", {"document": document, "baseRevision": 1})
        assert self.texts("night") == []

    def test_a_clone_and_an_import_add_none(self) -> None:
        self.chat(character="mira", shared=True)
        self.post(self.alice, f"{API}/chats/night/clone", {"slug": "copy"})
        assert self.texts("copy") == [("assistant", GREETING)]
        upload = services.Upload(
            "file.json", {"kind": "chat", "id": "file", "name": "File", "shared": True, "character": "mira"}
        )
        (outcome,) = services.import_documents(self.alice.actor, uploads=[upload])
        assert (outcome.action, self.texts(outcome.slug or "")) == ("created", [])

    def test_who_may_create_gets_it_and_others_do_not(self) -> None:
        document = {"id": "own", "name": "Own", "character": "mira"}
        body = {"document": document}
        assert self.post(self.edith, f"{API}/chats", body).status_code == 201
        assert len(self.get(self.edith, f"{API}/chats/own/messages").json()["items"]) == 1
        assert self.post(self.bob, f"{API}/chats", body).status_code == 403
        other = self.post(self.charlie, f"{API}/chats", body)  # her team has no such character
        if other.status_code == 201:
            assert self.get(self.charlie, f"{API}/chats/own/messages").json()["items"] == []
