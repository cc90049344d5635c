"""Uploaded tokenizers: brought by the operator, counted with by every team, listed for everybody."""

from __future__ import annotations

import json
import tempfile
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from formats.models import UploadedTokenizer
from neotavern.accounts.models import User
from tests.chats.base import RenderTestCase
from tests.formats.tokens.test_extras import SMALL

pytest.importorskip("tokenizers")
RAW = json.dumps(SMALL).encode()


class UploadedTokenizerTests(RenderTestCase):
    def add(self, name: str = "small", raw: bytes = RAW) -> str:
        """Run the command and return what it says."""
        with tempfile.NamedTemporaryFile() as file:
            Path(file.name).write_bytes(raw)
            says = StringIO()
            call_command("add_tokenizer", name, file.name, stdout=says)
        return says.getvalue()

    def test_added_it_counts_for_every_team(self) -> None:
        self.assertEqual(self.add(), "small: 9 tokens.\n")
        for person in (self.alice, self.bob, self.charlie):
            answer = self.post(person, "/api/v1/tokenize", {"text": "abba", "tokenizer": "small"}).json()
            self.assertEqual(
                (answer["count"], answer["tokens"], answer["profile"], answer["approximate"]),
                (3, [2, 1, 0], "small", False),
            )
        budget = self.render(tokenizer="small", messages=[{"role": "user", "content": "abba"}])["tokenBudget"]
        self.assertEqual((budget["profile"], budget["approximate"]), ("small", False))

    def test_another_file_under_the_name_holds_at_once(self) -> None:
        self.add()
        before = self.post(self.bob, "/api/v1/tokenize", {"text": "ab", "tokenizer": "small"}).json()["count"]
        self.add(raw=json.dumps({**SMALL, "model": {**SMALL["model"], "merges": []}}).encode())
        after = self.post(self.bob, "/api/v1/tokenize", {"text": "ab", "tokenizer": "small"}).json()["count"]
        self.assertEqual((before, after), (1, 2))

    def test_removed_it_is_unknown(self) -> None:
        self.add()
        call_command("add_tokenizer", "small", "--remove", stdout=StringIO())
        answer = self.post(self.bob, "/api/v1/tokenize", {"text": "ab", "tokenizer": "small"})
        error = self.assert_error(answer, 422, "VALIDATION")
        self.assertEqual(error["details"][0]["path"], "tokenizer")

    def test_an_unknown_name_is_told_which_there_are(self) -> None:
        self.add()
        answer = self.post(self.bob, "/api/v1/tokenize", {"text": "ab", "tokenizer": "nope"})
        self.assertTrue(self.assert_error(answer, 422, "VALIDATION")["message"].endswith("small."))

    def test_what_is_wrong_is_one_line(self) -> None:
        for name, raw, message in (
            ("Small!", RAW, "a-z"),
            ("o200k", RAW, "profile of this program"),
            ("small", b"{}", "no tokenizer.json"),
            ("small", b"\xff", "utf-8"),
        ):
            with self.subTest(name=name), self.assertRaisesMessage(CommandError, message):
                self.add(name, raw)
        for words in (["small"], ["small", "--remove"], ["small", "no-such-file"]):
            with self.subTest(words=words), self.assertRaises(CommandError):
                call_command("add_tokenizer", *words, stdout=StringIO())
        self.assertEqual(UploadedTokenizer.objects.count(), 0)

    def test_everybody_sees_the_list(self) -> None:
        self.add()
        for person in (self.alice, self.bob, self.charlie):
            items = self.get(person, "/api/v1/tokenizers").json()["items"]
            self.assertEqual(items[-1], {"name": "small", "source": "uploaded", "approximate": False})
            self.assertIn({"name": "estimate", "source": "builtin", "approximate": True}, items)
        self.assert_error(Client().get("/api/v1/tokenizers"), 401, "UNAUTHENTICATED")


class AdministrationTests(RenderTestCase):
    ADD = "/admin/formats/uploadedtokenizer/add/"

    def browser(self, *, superuser: bool) -> Client:
        user = User.objects.create_user(
            "operator", password="secret-secret-1", is_superuser=superuser, is_staff=superuser
        )
        client = Client()
        client.force_login(user)
        return client

    def test_a_superuser_brings_one(self) -> None:
        form = {"name": "small", "file": SimpleUploadedFile("tokenizer.json", RAW)}
        answer = self.browser(superuser=True).post(self.ADD, form)
        self.assertEqual(answer.status_code, 302, answer.content)
        row = UploadedTokenizer.objects.get()
        self.assertEqual((row.name, row.vocabulary, row.size, row.uploaded_by), ("small", 9, len(RAW), "operator"))

    def test_a_file_that_is_none_is_said_at_the_field(self) -> None:
        form = {"name": "small", "file": SimpleUploadedFile("tokenizer.json", b"{}")}
        answer = self.browser(superuser=True).post(self.ADD, form)
        self.assertContains(answer, "no tokenizer.json")
        self.assertEqual(UploadedTokenizer.objects.count(), 0)

    def test_nobody_else_may(self) -> None:
        answer = self.browser(superuser=False).get(self.ADD)
        self.assertEqual((answer.status_code, answer["Location"].partition("?")[0]), (302, "/admin/login/"))
