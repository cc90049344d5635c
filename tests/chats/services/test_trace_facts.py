"""The answer says message by message what the prompt is made of; a chat's unsaved settings can be tried."""

from __future__ import annotations

from chats.services.errors import app_errors
from chats.services.render import ActorCaller, RenderRequest, answer
from neotavern.ground.errors import AppError
from tests.chats.services.test_stories import StoryTests


class TraceFactTests(StoryTests):
    def setUp(self) -> None:
        super().setUp()
        entries = [{"uid": "a", "name": "Ice", "keys": ["ice"], "content": "It freezes."}, {"uid": "b", "keys": ["x"]}]
        self.store("lorebooks", {"id": "port", "name": "Port", "entries": entries})
        self.store("personas", {"id": "ana", "name": "Ana", "description": "A pilot.", "shared": True})
        messages = [{"role": "user", "content": "The ice."}]
        self.store(
            "chats", {"id": "night", "name": "Night", "lorebooks": ["port"], "shared": True, "messages": messages}
        )

    def test_parts_come_with_the_trace_and_only_then(self) -> None:
        made = self.render(chat="night", messages=[], trace=True)
        lore, said = made["parts"][:2]
        self.assertEqual((lore["message"], lore["id"], lore["role"], lore["origin"]), (None, "a", "system", "lore:a"))
        entry = lore["data"]["entries"][0]
        self.assertEqual(
            (entry["book"], entry["name"], entry["key"], entry["depth"], entry["score"]), ("port", "Ice", "ice", 0, 1)
        )
        self.assertEqual((said["message"], said["role"], said["origin"]), (0, "user", "history"))
        self.assertNotIn("parts", self.render(chat="night"))

    def test_the_trace_tells_why_an_entry_is_out(self) -> None:
        (stage,) = [
            one for one in self.render(chat="night", messages=[], trace=True)["trace"] if one["stage"] == "lore"
        ]
        self.assertEqual(
            stage["dropped"],
            [{"message": None, "id": "b", "origin": "lore:b", "reason": "notMatched", "data": {"book": "port"}}],
        )

    def test_a_draft_stands_in_for_what_the_chat_has_stored(self) -> None:
        request = RenderRequest(chat="night", serialize_as_text=False)
        draft = {
            "kind": "chat", "version": 1, "id": "night", "name": "Night", "persona": "ana",
            "authorsNote": {"content": "Slowly.", "depth": 0},
        }  # fmt: skip
        made = answer(ActorCaller(self.alice.actor), request, draft=draft)
        texts = [(one["role"], one["content"]) for one in made.messages]
        self.assertEqual(texts, [("system", "The user is Ana: A pilot."), ("user", "The ice."), ("system", "Slowly.")])

    def test_a_faulty_draft_is_refused_with_its_field(self) -> None:
        with self.assertRaises(AppError) as caught, app_errors():
            answer(ActorCaller(self.alice.actor), RenderRequest(chat="night"), draft={"name": ""})
        self.assertEqual(caught.exception.details[0].path, "chat.name")

    def test_a_draft_names_only_what_its_reader_may_see(self) -> None:
        draft = {"name": "Night", "persona": "ghost"}
        with self.assertRaises(AppError) as caught, app_errors():
            answer(ActorCaller(self.alice.actor), RenderRequest(chat="night"), draft=draft)
        self.assertEqual(caught.exception.code, "NOT_FOUND")
