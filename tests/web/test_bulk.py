"""Many rows at once, the trash, deleting for good, and taking an import back: plain forms, by whom it is allowed."""

from __future__ import annotations

import io
import json
import zipfile

from neotavern.accounts.models import Membership
from neotavern.library.models import Item
from tests.web.case import PageCase, document

BULK = "/formats/-/bulk/"


class BulkTests(PageCase):
    def setUp(self) -> None:
        super().setUp()
        self.make("a")
        self.make("b", name="<script>alert(1)</script>")

    def test_archive_and_bring_back(self) -> None:
        answer = self.send(self.alice, BULK, {"action": "archive", "slug": ["a", "b"]})
        self.assertEqual(answer["Location"], "/t/tavern/formats/")
        self.assertIn("2 objects are archived.", self.client.get(answer["Location"]).content.decode())
        self.assertEqual(Item.objects.filter(archived_at=None).count(), 0)
        self.assert_is(self.send(self.alice, BULK, {"action": "unarchive", "slug": ["a", "b"]}), 302)
        self.assertEqual(Item.objects.filter(archived_at=None).count(), 2)

    def test_each_result_is_shown_when_one_is_refused(self) -> None:
        text = self.assert_is(self.send(self.alice, BULK, {"action": "tag", "tag": "x", "slug": ["a", "none"]}), 200)
        self.assertIn("done", text)
        self.assertIn("refused", text)
        self.assertIn("?tag=x", self.assert_is(self.page(self.alice, "/formats/"), 200))

    def test_nothing_ticked_says_so(self) -> None:
        answer = self.send(self.alice, BULK, {"action": "archive"})
        self.assertIn("tick rows first", self.client.get(answer["Location"]).content.decode())

    def test_an_export_is_a_zip_and_bob_may_have_it(self) -> None:
        answer = self.send(self.bob, BULK, {"action": "export", "slug": ["a", "b"]})
        body = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
        self.assertEqual(zipfile.ZipFile(io.BytesIO(body)).namelist(), ["a.json", "b.json"])

    def test_deleting_for_good_asks_first_and_is_for_administrators(self) -> None:
        form = {"action": "delete", "slug": ["a"]}
        self.assertIn("Delete for good?", self.assert_is(self.send(self.alice, BULK, form), 200))
        self.assertTrue(Item.objects.filter(slug="a").exists())
        self.assert_is(self.send(self.alice, BULK, form | {"confirmed": "1"}), 302)
        self.assertFalse(Item.objects.filter(slug="a").exists())
        Membership.objects.filter(user=self.bob.user).update(role="editor")
        for path, sent in ((BULK, {"action": "delete", "slug": ["b"]}), ("/formats/b/delete/", {})):
            self.assert_is(self.send(self.bob, path, sent), 403)

    def test_one_is_deleted_from_the_trash(self) -> None:
        self.assert_is(self.send(self.alice, "/formats/b/archive/"), 302)
        trash = self.assert_is(self.page(self.alice, "/formats/?archived=1"), 200)
        self.assertIn("/formats/b/delete/", trash)
        self.assertNotIn("<script>alert", trash)
        self.assertNotIn("/formats/b/delete/", self.assert_is(self.page(self.bob, "/formats/?archived=1"), 200))
        self.assertIn("Nobody can bring it back", self.assert_is(self.page(self.alice, "/formats/b/delete/"), 200))
        self.assert_is(self.send(self.alice, "/formats/b/delete/"), 302)
        self.assertFalse(Item.objects.filter(slug="b").exists())

    def test_bob_changes_nothing_and_charlie_finds_nothing(self) -> None:
        self.assert_is(self.send(self.bob, BULK, {"action": "archive", "slug": ["a"]}), 403)
        self.assert_is(self.send(self.charlie, BULK, {"action": "archive", "slug": ["a"]}), 404)
        self.assert_is(self.page(self.charlie, "/formats/a/delete/"), 404)
        self.assert_to_login(self.send(None, BULK, {"action": "archive", "slug": ["a"]}))
        self.assertEqual(Item.objects.filter(archived_at=None).count(), 2)

    def test_an_unknown_action_is_refused(self) -> None:
        self.assert_is(self.send(self.alice, BULK, {"action": "eat", "slug": ["a"]}), 422)


class UndoTests(PageCase):
    def imported(self) -> str:
        text = json.dumps([document("one"), document("two")])
        return self.assert_is(self.send(self.alice, "/import/", {"text": text}), 200)

    def test_the_result_can_be_undone_as_a_whole(self) -> None:
        text = self.imported()
        number = text.split("/imports/")[2].split("/")[0]
        self.assertIn("Undo this import", text)
        answer = self.send(self.alice, f"/imports/{number}/undo/")
        self.assertEqual(answer["Location"], f"/t/tavern/imports/{number}/")
        self.assertEqual(Item.objects.filter(archived_at=None).count(), 0)
        self.assertIn("undone", self.assert_is(self.page(self.alice, f"/imports/{number}/"), 200))
        self.assert_is(self.send(self.alice, f"/imports/{number}/undo/"), 409)
        self.assertIn(f"/imports/{number}/", self.assert_is(self.page(self.bob, "/imports/"), 200))

    def test_it_is_for_administrators_of_the_team(self) -> None:
        number = self.imported().split("/imports/")[2].split("/")[0]
        self.assertNotIn("Undo this import<", self.assert_is(self.page(self.bob, f"/imports/{number}/"), 200))
        self.assert_is(self.send(self.bob, f"/imports/{number}/undo/"), 403)
        self.client.force_login(self.charlie.user)
        for path in (f"/t/harbour/imports/{number}/", f"/t/tavern/imports/{number}/"):
            self.assert_is(self.client.get(path), 404)
        self.assert_is(self.client.post(f"/t/harbour/imports/{number}/undo/"), 404)
        self.assert_to_login(self.page(None, "/imports/"))
