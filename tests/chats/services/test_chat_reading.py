"""A chat of which only the newest part is read gives what the whole one gives, and says what it has left out."""

from __future__ import annotations

import random
from typing import Any
from unittest import mock

from django.db import connection
from django.test.utils import CaptureQueriesContext

from chats.documents import ChatSettings
from chats.message_rows import append_rows, read_messages
from chats.models import ChatMessage
from chats.pipeline.unread import unread
from chats.selectors import StoredMessage
from chats.services.chat_reading import newest_messages
from chats.services.stored_chat import StoredChat
from formats.tokens import profile
from neotavern.library.models import Item
from tests.chats.services.test_stories import StoryTests

READING = "chats.services.story.newest_messages"
WORDS = ("the", "lamp", "burns", "harbour", "wind", "over", "stairs", "counted", "again", "é", "海", "nobody", "came")
ODD: tuple[dict[str, Any], ...] = (
    {"role": "user", "content": "{{setvar::a::1}}I am {{user}}, {{nonsense}}."},
    {"role": "assistant", "content": "<USER> said {{getvar::a}}."},
    {"role": "user", "content": "\\{{user}} stays"},
    {"role": "system", "content": "A rule that stays."},
    {"role": "user", "content": "Pinned words.", "pinned": True},
    {"role": "assistant", "content": "Hidden words.", "excluded": True},
    {"role": "user", "content": "Named words.", "name": "Tom"},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]},
    {"role": "tool", "content": "result", "tool_call_id": "c"},
    {"role": "user", "content": [{"type": "text", "text": "A part."}]},
)
BOOK = {
    "id": "port",
    "name": "Port",
    "entries": [
        {"uid": "near", "keys": ["harbour"], "content": "A harbour of {{char}}."},
        {"uid": "deep", "keys": ["odd-key"], "content": "Found far up.", "scanDepth": 40, "position": "at_depth"},
    ],
}


def messages_of(rng: random.Random, size: int) -> list[dict[str, Any]]:
    """A chat of everyday turns with odd ones among them."""
    made: list[dict[str, Any]] = []
    for at in range(size):
        if rng.random() < 0.05:
            made.append(dict(rng.choice(ODD)))
            continue
        text = " ".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 30)))
        made.append({"role": ("user", "assistant")[at % 2], "content": f"{at}: {text}"})
    return made


class ReadingTests(StoryTests):
    def setUp(self) -> None:
        super().setUp()
        card = {"id": "mira", "name": "Mira", "description": "{{char}} keeps a light. {{lastUserMessage}}"}
        self.store("characters", card)
        self.store("personas", {"id": "tom", "name": "Tom", "description": "A sailor. {{lastMessageId}}"})
        self.store("lorebooks", BOOK)
        self.store("memories", {"id": "tea", "content": "Tom likes tea.", "keys": ["lamp"]})

    def chat(self, slug: str, messages: list[dict[str, Any]], **document: Any) -> Item:
        self.store("chats", {"id": slug, "name": slug, "messages": [], **document})
        item = Item.objects.get(kind="chat", slug=slug)
        append_rows(item.pk, read_messages(messages))
        return item

    def outcome(self, **body: Any) -> Any:
        return self.post(self.alice, "/api/v1/render", {"messages": [], "randomSeed": 1, **body}).json()

    def test_both_ways_give_the_same(self) -> None:
        parts = 0
        for number in range(40):
            rng = random.Random(number)
            note = {"content": "Note of {{char}}.", "interval": rng.choice([1, 2, 3]), "position": "at_depth"}
            story = {"character": "mira", "persona": "tom", "lorebooks": ["port"], "memories": ["tea"]}
            document = {**story, "authorsNote": note} if rng.random() < 0.8 else {}
            size = rng.choice([0, 3, 40, 80, 100])
            self.chat(f"chat-{number}", messages_of(rng, size), **document)
            if rng.random() < 0.3:
                self.set_team(self.alice, contextCut=rng.choice([0, 50, 200]))
            body = {
                "chat": f"chat-{number}",
                "format": rng.choice(["chatml", "mistral", "alpaca", None]),
                "maxContextTokens": rng.choice([150, 200, 400, 900]),
                "contextStrategy": rng.choice(["truncate", "truncate", "manual", "summarize", "vector-recall"]),
                "generationType": rng.choice(["normal", "normal", "regenerate", "impersonate", "quiet"]),
                "messages": rng.choice([[], [{"role": "user", "content": "And {{lastCharMessage}}?"}]]),
                "now": "2026-11-30T12:00:00Z",
            }
            with mock.patch(READING, wraps=newest_messages) as reading:
                made: list[Any] = []
                reading.side_effect = lambda *given, made=made: made.append(newest_messages(*given)) or made[-1]
                part = self.outcome(**body)
            parts += any(one is not None for one in made)
            with mock.patch(READING, return_value=None):
                whole = self.outcome(**body)
            with self.subTest(number=number, body=body):
                self.assertEqual(part, whole)
        self.assertGreater(parts, 8)

    def test_a_long_chat_is_read_in_part_and_every_one_left_out_is_named(self) -> None:
        item = self.chat(
            "long", [{"role": ("user", "assistant")[at % 2], "content": f"word {at}"} for at in range(300)]
        )
        ids = [
            str(pk) for pk in ChatMessage.objects.filter(chat=item).order_by("position").values_list("pk", flat=True)
        ]
        with CaptureQueriesContext(connection) as queries, mock.patch(READING, wraps=newest_messages) as reading:
            answer = self.outcome(chat="long", format="chatml", maxContextTokens=200)
        self.assertEqual(reading.call_count, 1)
        bodies = [one["sql"] for one in queries if "body" in one["sql"]]
        self.assertEqual(len(bodies), 1)
        self.assertLess(bodies[0].count(","), 100)
        kept = answer["prompt"].count("word ")
        self.assertTrue(0 < kept < 60, kept)
        left_out = [one["id"] for one in answer["excluded"]]
        self.assertEqual(left_out, ids[: 300 - kept])
        self.assertEqual({one["reason"] for one in answer["excluded"]}, {"context-shift"})

    def test_what_is_not_counted_is_read(self) -> None:
        item = self.chat("old", [{"role": "user", "content": f"word {at}"} for at in range(100)])
        counted = self.outcome(chat="old", format="chatml", maxContextTokens=200)
        ChatMessage.objects.filter(chat=item).update(counts="{}")
        self.assertEqual(self.outcome(chat="old", format="chatml", maxContextTokens=200), counted)

    def test_a_stand_in_that_would_stay_makes_the_chat_be_read(self) -> None:
        item = self.chat("short", [{"role": "user", "content": f"word {at}"} for at in range(30)])
        whole = self.outcome(chat="short", format="chatml", maxContextTokens=400)
        *old, newest = StoredChat(item.pk, ChatSettings(name="short")).messages()
        too_few = (*(unread(one.id or "", one.role, 1) for one in old), newest)
        with mock.patch(READING, return_value=too_few) as reading:
            self.assertEqual(self.outcome(chat="short", format="chatml", maxContextTokens=400), whole)
        self.assertEqual(reading.call_count, 1)


class CountTests(StoryTests):
    def test_a_message_is_counted_when_it_is_written_and_again_when_it_changes(self) -> None:
        self.store("chats", {"id": "night", "name": "Night"})
        url = "/api/v1/chats/night/messages"
        body = {"role": "user", "content": "Some words here.", "name": "Tom"}
        made = self.post(self.alice, url, body).json()["items"][0]["id"]
        row = ChatMessage.objects.get(pk=made)
        name = profile("estimate").count("Tom") + 1
        tokens = StoredMessage(row.pk, row.body, row.counts).tokens("estimate")
        self.assertEqual(tokens, profile("estimate").count("Some words here.") + name)
        self.put(self.alice, f"{url}/{made}", {"role": "user", "content": "x"})
        self.assertIn('"estimate":1', ChatMessage.objects.get(pk=made).counts)
