"""export_team and import_team: everything comes back byte for byte, and nothing comes that should not."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import orjson
from django.core.management import CommandError, call_command
from django.test import Client, TransactionTestCase

from chats.models import LoreStateRow
from formats.services.settings import patch_personal, patch_settings
from neotavern.accounts.models import ApiKey, AuditEntry, Membership, Team, User
from neotavern.library import selectors, services
from neotavern.library.models import ImportBatch, Item, Revision
from tests.library.samples import instruct_format, preset
from tests.teams import PASSWORD, TeamMixin


class BackupTests(TeamMixin, TransactionTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.make_people()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.file = self.folder / "team.zip"
        self.fill()

    def fill(self) -> None:
        """Two objects with history, a label, tags, references, trash, settings of the team and of Bob, an import."""
        alice = self.alice.actor
        self.alice.user.set_password(PASSWORD)
        self.alice.user.save()
        item = services.create(alice, kind="instruct-format", document=instruct_format(tags=["doc"]), note="é\n").item
        odd = dict(reversed(instruct_format(text="2", stopStrings=["\u2028"]).items()))
        services.save(alice, item=item, document=odd, base_revision=1)
        services.move_label(alice, item=item, name="production", number=1)
        services.add_tag(alice, item=item, tag="mine")
        services.create(alice, kind="preset", document=preset(instructFormat="house@production"))
        gone = services.create(alice, kind="preset", document=preset("gone")).item
        services.archive(alice, item=gone)
        patch_settings(alice, {"preset": "writing", "variables": {"ort": "Café"}})
        patch_personal(self.bob.actor, {"instructFormat": "house"})
        self.post(self.alice, "/api/v1/import", instruct_format("imported"))
        self.tell_stories()
        services.create(self.charlie.actor, kind="preset", document=preset("theirs"))

    def tell_stories(self) -> None:
        """A book with an entry changed and one gone, and Bob's private chat with its messages."""
        book = {"kind": "lorebook", "version": 1, "id": "harbour", "name": "Harbour"}
        entries = [{"uid": "1", "name": "Quay", "keys": ["quay"], "content": "Wet."}, {"uid": "2", "content": "x"}]
        stored = services.create(self.alice.actor, kind="lorebook", document=book | {"entries": entries}).item
        changed = book | {"entries": [entries[0] | {"content": "Dry."}]}
        services.save(self.alice.actor, item=stored, document=changed, base_revision=1)
        chat = {"kind": "chat", "version": 1, "id": "night", "name": "Night"}
        messages = [{"role": "user", "content": "Hé\n"}, {"role": "assistant", "content": "Ho"}]
        chat_item = services.create(self.alice.actor, kind="chat", document=chat | {"messages": messages}).item
        LoreStateRow.objects.create(chat=chat_item, book="harbour", entry_uid="1", sticky_until=3, cooldown_until=5)

    def export(self, slug: str = "tavern", name: str = "team.zip") -> bytes:
        call_command("export_team", slug, str(self.folder / name), stdout=io.StringIO())
        return (self.folder / name).read_bytes()

    def bring_in(self, *options: str) -> str:
        out = io.StringIO()
        call_command("import_team", str(self.file), *options, stdout=out)
        return out.getvalue()

    def empty(self) -> None:
        """Make the database that of a new installation, with other ids than before."""
        Item.objects.all().delete()
        ImportBatch.objects.all().delete()
        AuditEntry.objects.all()._raw_delete(using="default")
        Membership.objects.all().delete()
        Team.objects.all().delete()
        User.objects.all().delete()
        User.objects.create(username="somebody")

    def test_a_round_trip_changes_not_a_byte(self) -> None:
        before = self.export()
        shown = selectors.stored(*self.house())
        self.empty()
        said = self.bring_in()
        self.assertEqual(
            said,
            "tavern: 2 members, 1 batches, 8 items, 10 revisions, 15 audit, 2 messages, 3 entries, 1 lore-states\n",
        )
        self.assertEqual(self.export(name="again.zip"), before)
        again = selectors.stored(*self.house())
        self.assertEqual(again | {"etag": ""}, shown | {"etag": ""})

    def house(self) -> tuple[Item, Revision]:
        item = Item.objects.get(team__slug="tavern", kind="instruct-format", slug="house")
        return item, selectors.revision(item)

    def test_two_exports_are_equal_and_nothing_secret_is_in_them(self) -> None:
        body = self.export()
        self.assertEqual(self.export(name="b.zip"), body)
        archive = zipfile.ZipFile(io.BytesIO(body))
        text = b"".join(archive.read(name) for name in archive.namelist())
        self.alice.user.refresh_from_db()
        secrets = [self.alice.key, self.alice.user.password, *ApiKey.objects.values_list("digest", flat=True)]
        for secret in [*secrets, "theirs", "charlie"]:
            self.assertNotIn(secret.encode(), text)
        self.assertEqual(oct(self.file.stat().st_mode & 0o777), "0o600")
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_what_came_in_works(self) -> None:
        self.export()
        self.empty()
        self.bring_in("--team", "inn")
        self.assertEqual(Team.objects.get().slug, "inn")
        bob = User.objects.get(username="bob")
        self.assertFalse(bob.has_usable_password())
        browser = Client()
        browser.force_login(bob)
        mine = browser.get("/api/v1/settings/me").json()
        self.assertEqual(mine["document"], {"instructFormat": "house"})
        rendered = browser.post(
            "/api/v1/render",
            {"messages": [{"role": "user", "content": "Hi"}], "preset": "writing"},
            content_type="application/json",
        ).json()
        self.assertEqual(rendered["prompt"], "U:Hi\nA:")
        alice = User.objects.get(username="alice")
        self.assertEqual(browser.get("/api/v1/chats/night").status_code, 404)
        browser.force_login(alice)
        self.assertEqual(browser.get("/api/v1/chats/night").status_code, 200)
        told = browser.get("/api/v1/chats/night/export?as=neotavern").json()
        self.assertEqual([one["content"] for one in told["messages"]], ["Hé\n", "Ho"])
        book = browser.get("/api/v1/lorebooks/harbour/export?as=neotavern&revision=1").json()
        self.assertEqual([one["content"] for one in book["entries"]], ["Wet.", "x"])
        used = browser.delete("/api/v1/formats/house").json()["error"]["params"]["usedBy"]
        self.assertEqual([one["kind"] for one in used], ["app-settings", "preset"])
        save = {"document": instruct_format(text="3"), "baseRevision": 2}
        saved = browser.put("/api/v1/formats/house", save, content_type="application/json").json()
        self.assertEqual((saved["revision"], saved["tags"]), (3, ["mine"]))
        self.assertEqual(AuditEntry.objects.filter(item_slug=f"user-{bob.pk}").count(), 1)

    def test_a_team_with_objects_is_not_written_over(self) -> None:
        body = self.export()
        with self.assertRaisesMessage(CommandError, "'tavern' is here and has objects"):
            self.bring_in()
        self.assertEqual(self.export(), body)

    def test_an_empty_team_is_filled_and_keeps_its_members(self) -> None:
        self.export()
        self.empty()
        team = Team.objects.create(slug="tavern", name="Old name")
        Membership.objects.create(team=team, user=User.objects.get(), role="owner")
        self.bring_in()
        names = Membership.objects.filter(team=team).order_by("user__username").values_list("user__username", "role")
        self.assertEqual(list(names), [("alice", "owner"), ("bob", "viewer"), ("somebody", "owner")])
        self.assertEqual(Team.objects.get().name, "Tavern")

    def refused(self, change: Any) -> str:
        """Import the archive with some of its files changed by `change(name, body)`; None leaves one out."""
        archive = zipfile.ZipFile(io.BytesIO(self.export()))
        with zipfile.ZipFile(self.file, "w") as broken:
            for name in archive.namelist():
                body = change(name, archive.read(name))
                if body is not None:
                    broken.writestr(name, body)
        with self.assertRaises(CommandError) as raised:
            self.bring_in("--team", "copy")
        self.assertFalse(Team.objects.filter(slug="copy").exists())
        return str(raised.exception)

    def test_a_damaged_archive_is_refused_whole_and_the_place_is_named(self) -> None:
        def in_file(wanted: str, old: bytes, new: bytes) -> Any:
            return lambda name, body: body.replace(old, new, 1) if name == wanted else body

        for change, message in [
            (in_file("revisions.ndjson", b"S:{{{", b"X:{{{"), "revisions.ndjson, line"),
            (in_file("items.ndjson", b'"kind":"preset"', b'"kind":"poem"'), "items.ndjson, line"),
            (in_file("items.ndjson", b'"lastNumber":2', b'"lastNumber":"2x"'), "lastNumber"),
            (in_file("revisions.ndjson", b'"slug":"house"', b'"slug":"mouse"'), "'mouse', which the archive does not"),
            (in_file("revisions.ndjson", b'"number":2', b'"number":1'), "contradicts itself"),
            (in_file("audit.ndjson", b"\n", b"\n\n"), "audit.ndjson, line 2"),
            (in_file("manifest.json", b'"version": 1', b'"version": 9'), "has version 9"),
            (in_file("manifest.json", b'"items"', b'"poems"'), "does not know: poems"),
            (in_file("manifest.json", b"neotavern-team", b"other"), "no archive of a team"),
            (lambda name, body: None if name == "team.json" else body, "it has no team.json"),
            (lambda name, body: b"" if name == "audit.ndjson" else body, "the archive is damaged"),
        ]:
            self.assertIn(message, self.refused(change))

    def test_files_and_teams_that_are_not_there(self) -> None:
        self.file.write_bytes(b"no zip")
        for arguments, message in [
            (("import_team", str(self.file)), "no archive of a team"),
            (("import_team", str(self.folder / "none.zip")), "No such file"),
            (("export_team", "nobody", str(self.file)), "There is no team 'nobody'"),
            (("export_team", "tavern", str(self.folder / "no" / "where.zip")), "No such file"),
        ]:
            with self.assertRaisesMessage(CommandError, message):
                call_command(*arguments, stdout=io.StringIO())

    def test_a_manifest_says_what_is_inside(self) -> None:
        archive = zipfile.ZipFile(io.BytesIO(self.export()))
        manifest = orjson.loads(archive.read("manifest.json"))
        self.assertEqual((manifest["format"], manifest["version"]), ("neotavern-team", 1))
        self.assertEqual(
            manifest["counts"],
            {
                "members": 2,
                "batches": 1,
                "items": 8,
                "revisions": 10,
                "audit": 15,
                "messages": 2,
                "entries": 3,
                "lore-states": 1,
            },
        )
