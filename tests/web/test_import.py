"""The import page: every known file, what it is and what is lost before anything is stored; who may."""

from __future__ import annotations

import json
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from chats.interchange.card_png import export_card_png
from neotavern.library import services
from neotavern.library.models import Item
from tests.web.case import PageCase

HTMX = {"HTTP_HX_REQUEST": "true"}
CARD = {"kind": "character", "version": 1, "id": "mira", "name": "Mira", "description": "<b>Pilot</b>"}
LINES = (
    '{"user_name": "Anna", "character_name": "Mira", "create_date": "2024"}\n'
    '{"name": "Anna", "is_user": true, "mes": "Hi"}\n{"name": "Mira", "is_user": false, "mes": "Late."}\n'
)
WORLD = {"entries": {"0": {"uid": 0, "key": ["gull"], "content": "Thieves.", "position": 77}}}


class ImportPageTests(PageCase):
    def files(self) -> list[Any]:
        picture, _losses = export_card_png(CARD)
        return [
            SimpleUploadedFile("mira.png", picture, "image/png"),
            SimpleUploadedFile("chat.jsonl", LINES.encode(), "application/x-ndjson"),
            SimpleUploadedFile("vell.lorebook", json.dumps(WORLD).encode()),
            SimpleUploadedFile("broken.json", b'{"a":\n oops}'),
        ]

    def test_what_each_file_is_and_loses_is_told_before_anything_is_stored(self) -> None:
        text = self.assert_is(self.send(self.alice, "/import/", {"file": self.files(), "trial": "1"}, **HTMX), 200)
        for part in ("→ character", "→ chat", "→ lorebook", "would be created", "Import 3 documents", "position 77"):
            with self.subTest(part=part):
                self.assertIn(part, text)
        self.assertIn("line 2, column 2", text)
        self.assertNotIn("<html", text)
        self.assertEqual(Item.objects.filter(team__slug="tavern").count(), 0)

    def test_they_are_imported_and_can_be_taken_back(self) -> None:
        text = self.assert_is(self.send(self.alice, "/import/", {"file": self.files()}), 200)
        self.assertIn('href="/t/tavern/characters/mira/"', text)
        kinds = Item.objects.filter(team__slug="tavern").values_list("kind", flat=True)
        self.assertEqual(sorted(kinds), ["character", "chat", "lorebook"])
        text = self.assert_is(self.send(self.alice, "/import/", {"file": self.files()[:1], "trial": "1"}, **HTMX), 200)
        self.assertIn("There is nothing new to store.", text)

    def test_pasted_text_is_read_like_a_file(self) -> None:
        text = self.assert_is(self.send(self.alice, "/import/", {"text": LINES, "trial": "1"}), 200)
        self.assertIn("→ chat", text)

    def test_nothing_given_is_said(self) -> None:
        self.assertIn("Choose a file", self.assert_is(self.send(self.alice, "/import/", {"text": " "}), 422))
        text = self.assert_is(self.send(self.alice, "/import/", {"text": " ", "trial": "1"}, **HTMX), 200)
        self.assertIn("Choose a file", text)

    def test_who_may(self) -> None:
        self.assert_is(self.page(self.alice, "/import/"), 200)
        self.assert_is(self.page(self.bob, "/import/"), 403)
        self.assert_is(self.send(self.charlie, "/import/", {"text": LINES}), 404)
        self.assert_to_login(self.page(None, "/import/"))


class ExportMenuTests(PageCase):
    def test_each_kind_lists_its_own_formats(self) -> None:
        services.create(self.alice.actor, kind="character", document=CARD)
        text = self.assert_is(self.page(self.bob, "/characters/mira/"), 200)
        for style in ("neotavern", "card", "card-png", "worldinfo"):
            self.assertIn(f'href="/t/tavern/characters/mira/export/?as={style}"', text)
        self.assertNotIn("?as=openai", text)
        picture = self.page(self.bob, "/characters/mira/export/?as=card-png")
        self.assertEqual((picture["Content-Type"], picture.content[:4]), ("image/png", b"\x89PNG"))
        services.create(
            self.alice.actor, kind="memory", document={"kind": "memory", "version": 1, "id": "m", "content": "x"}
        )
        self.assertIn('href="/t/tavern/memories/m/export/"', self.assert_is(self.page(self.bob, "/memories/m/"), 200))
