"""A lorebook's pages: entries listed, found, switched, ordered, edited one by one, tried on a text; who may what."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from chats.lore_rows import document_of, rows_at
from chats.models import LoreEntryRow
from neotavern.library import selectors, services
from neotavern.library.models import Item
from tests.web.case import PageCase

ATTACK = "<script>alert(1)</script>"
ENTRIES = [
    {"uid": "h", "name": "Harbour", "keys": ["harbour", "pier"], "content": "Three piers.", "order": 5},
    {"uid": "g", "name": ATTACK, "keys": ["gull"], "content": "They steal.", "extensions": {"x": 1}},
    {"uid": "s/1", "name": "Étoile", "keys": ["star"], "content": "Far.", "enabled": False},
]
BOOK = {"kind": "lorebook", "version": 1, "id": "vell", "name": "Vell", "entries": ENTRIES}


class BookCase(PageCase):
    def setUp(self) -> None:
        super().setUp()
        services.create(self.alice.actor, kind="lorebook", document=BOOK)

    def book(self) -> Item:
        return selectors.get_item(self.alice.actor, kind="lorebook", slug="vell")

    def entries(self, number: int | None = None) -> list[dict[str, Any]]:
        book = self.book()
        rows = rows_at(book.pk, number or book.last_number).order_by("position", "id")
        return [document_of(row.uid, row.body) for row in rows]

    def rows(self, **changes: str | None) -> dict[str, Any]:
        """What a browser sends for the list when nothing was typed, and `changes`; None takes a field away."""
        form: dict[str, Any] = {"d.e": "0 1 2", "baseRevision": str(self.book().last_number)}
        for at, entry in enumerate(self.entries()):
            form |= {f"d.e.{at}.uid": entry["uid"], f"d.e.{at}.order": str(entry.get("order", 100))}
            form |= {f"d.e.{at}.priority": str(entry.get("priority", 0))}
            form |= {f"d.e.{at}.enabled": "on"} if entry.get("enabled", True) else {}
        form |= changes
        return {name: value for name, value in form.items() if value is not None}


class ListTests(BookCase):
    def test_who_sees_and_who_changes(self) -> None:
        for path in ("", "settings/", "try/", "entry/?uid=h", "entry/"):
            with self.subTest(path=path):
                self.assertNotIn(ATTACK, self.assert_is(self.page(self.alice, f"/lorebooks/vell/{path}"), 200))
                self.assertNotIn(
                    "Save as revision", self.assert_is(self.page(self.bob, f"/lorebooks/vell/{path}"), 200)
                )
                self.assert_is(self.page(self.charlie, f"/lorebooks/vell/{path}"), 404)
                self.assert_to_login(self.page(None, f"/lorebooks/vell/{path}"))
        for path in ("entries/", "entry/save/"):
            self.assert_is(self.send(self.bob, f"/lorebooks/vell/{path}", self.rows()), 403)
            self.assert_is(self.send(self.charlie, f"/lorebooks/vell/{path}", self.rows()), 404)
        self.assert_is(self.page(self.alice, "/lorebooks/nobody/"), 404)
        self.assertEqual(self.book().last_number, 1)

    def test_rows_are_changed_as_one_revision_and_the_rest_stays(self) -> None:
        form = self.rows(**{"d.e.0.order": "7", "d.e.1.priority": "3", "d.e.2.enabled": "on", "note": "Tidied"})
        self.assertEqual(
            self.send(self.alice, "/lorebooks/vell/entries/", form)["Location"], "/t/tavern/lorebooks/vell/"
        )
        self.assertEqual(
            self.entries(),
            [ENTRIES[0] | {"order": 7}, ENTRIES[1] | {"priority": 3}, ENTRIES[2] | {"enabled": True}],
        )
        self.assertEqual(self.entries(1), ENTRIES)
        self.assertEqual(selectors.revision(self.book()).note, "Tidied")

    def test_nothing_changed_makes_no_revision(self) -> None:
        self.assert_is(self.send(self.alice, "/lorebooks/vell/entries/", self.rows()), 302)
        self.assertEqual(self.book().last_number, 1)

    def test_entries_take_each_other_s_places(self) -> None:
        self.assert_is(self.send(self.alice, "/lorebooks/vell/entries/", self.rows(**{"d.e": "1 0 2"})), 302)
        self.assertEqual([one["uid"] for one in self.entries()], ["g", "h", "s/1"])
        self.assertEqual([one["uid"] for one in self.entries(1)], ["h", "g", "s/1"])
        self.assertEqual(LoreEntryRow.objects.filter(book=self.book(), since=2).count(), 2)

    def test_ticked_ones_are_switched_copied_and_removed(self) -> None:
        form = self.rows() | {"uid": ["h", "g"], "action": "disable"}
        self.assert_is(self.send(self.alice, "/lorebooks/vell/entries/", form), 302)
        self.assertEqual([one.get("enabled", True) for one in self.entries()], [False, False, False])
        form = self.rows() | {"uid": ["g"], "action": "copy"}
        self.assert_is(self.send(self.alice, "/lorebooks/vell/entries/", form), 302)
        self.assertEqual(self.entries()[3] | {"uid": "g"}, ENTRIES[1] | {"enabled": False})
        form = self.rows() | {"uid": ["g", "h"], "action": "delete", "d.e": "0 1 2 3"}
        self.assert_is(self.send(self.alice, "/lorebooks/vell/entries/", form), 302)
        self.assertEqual([one["uid"] for one in self.entries()], ["s/1", self.entries()[1]["uid"]])

    def test_all_that_a_search_finds(self) -> None:
        form = self.rows() | {"all": "1", "q": "é", "action": "enable"}
        answer = self.send(self.alice, "/lorebooks/vell/entries/", form)
        self.assertEqual(answer["Location"], "/t/tavern/lorebooks/vell/?q=%C3%A9")
        self.assertEqual([one.get("enabled", True) for one in self.entries()], [True, True, True])

    def test_search_reads_names_keys_and_texts_and_no_field_names(self) -> None:
        for query, shown in (("PIER", ["h"]), ("étoile", ["s/1"]), ("content", []), ("steal gull", ["g"])):
            with self.subTest(query=query):
                text = self.assert_is(self.page(self.bob, f"/lorebooks/vell/?q={quote(query)}"), 200)
                self.assertEqual([uid for uid in ("h", "g", "s/1") if f"?uid={uid.replace('/', '%2F')}" in text], shown)
        text = self.assert_is(self.page(self.bob, "/lorebooks/vell/?state=off"), 200)
        self.assertIn("Étoile", text)
        self.assertNotIn("Harbour", text)

    def test_a_number_that_is_none_comes_back_as_typed(self) -> None:
        text = self.assert_is(
            self.send(self.alice, "/lorebooks/vell/entries/", self.rows(**{"d.e.0.order": "<b>"})), 422
        )
        self.assertIn('value="&lt;b&gt;"', text)
        self.assertEqual(self.book().last_number, 1)

    def test_of_two_who_change_one_entry_the_second_is_told_and_keeps_what_was_typed(self) -> None:
        form = self.rows(**{"d.e.0.order": "9"})
        self.send(self.alice, "/lorebooks/vell/entries/", self.rows(**{"d.e.0.order": "8"}))
        text = self.assert_is(self.send(self.alice, "/lorebooks/vell/entries/", form), 409)
        self.assertIn('value="9"', text)
        self.assertEqual(self.entries()[0]["order"], 8)
        self.assert_is(self.send(self.alice, "/lorebooks/vell/entries/", form | {"baseRevision": "2"}), 302)
        self.assertEqual(self.entries()[0]["order"], 9)

    def test_of_two_who_change_different_entries_nobody_waits(self) -> None:
        form = self.rows(**{"d.e.0.order": "9"})
        self.send(self.alice, "/lorebooks/vell/entries/", self.rows(**{"d.e.1.order": "8"}))
        self.assert_is(self.send(self.alice, "/lorebooks/vell/entries/", {**form, "d.e.1.order": "8"}), 302)
        self.assertEqual([one.get("order", 100) for one in self.entries()], [9, 8, 100])

    def test_a_large_book_pages(self) -> None:
        entries = [{"uid": f"{at:03}", "name": f"Entry {at:03}"} for at in range(250)]
        document = {"kind": "lorebook", "version": 1, "id": "large", "name": "Large", "entries": entries}
        services.create(self.alice.actor, kind="lorebook", document=document)
        text = self.assert_is(self.page(self.bob, "/lorebooks/large/?page=3"), 200)
        self.assertIn("201–250 of 250", text)
        self.assertIn("Entry 249", text)
        self.assertNotIn("Entry 199", text)
        self.assertIn("Entry 150", self.assert_is(self.page(self.bob, "/lorebooks/large/?q=entry&page=2"), 200))

    def test_an_old_revision_is_read_only(self) -> None:
        self.send(self.alice, "/lorebooks/vell/entries/", self.rows(**{"d.e.0.order": "9"}))
        text = self.assert_is(self.page(self.alice, "/lorebooks/vell/?revision=1"), 200)
        self.assertNotIn('name="d.e.0.order"', text)
        self.assertIn("You read revision 1", text)


class EntryTests(BookCase):
    def form(self, **changes: str) -> dict[str, str]:
        base = {key: value for key, value in ENTRIES[1].items() if key != "uid"}
        return {
            "d.all": "1", "uid": "g", "base": json.dumps(base), "baseRevision": str(self.book().last_number),
            "d.name": "Gulls", "d.keys": "gull\r\n/gulls?/i", "d.content": "They steal.", "d.enabled": "on",
            "d.selective": "on", "d.position": "at_depth", "d.depth": "2", "d.probability": "12.5", "d.alsoScan:": "1",
            "d.alsoScan:persona": "on", "d.date": "on", "d.date.year": "1127", "d.wholeWords": "true",
        } | changes  # fmt: skip

    def test_fields_are_saved_and_what_has_none_stays(self) -> None:
        answer = self.send(self.alice, "/lorebooks/vell/entry/save/", self.form())
        self.assertEqual(answer["Location"], "/t/tavern/lorebooks/vell/entry/?uid=g")
        self.assertEqual(
            self.entries()[1],
            {
                "uid": "g", "name": "Gulls", "keys": ["gull", "/gulls?/i"], "content": "They steal.",
                "extensions": {"x": 1}, "position": "at_depth", "depth": 2, "probability": 12.5,
                "alsoScan": ["persona"], "date": {"year": 1127}, "wholeWords": True,
            },
        )  # fmt: skip
        self.assertEqual([one["uid"] for one in self.entries()], ["h", "g", "s/1"])

    def test_faults_stand_at_their_fields(self) -> None:
        text = self.assert_is(
            self.send(self.alice, "/lorebooks/vell/entry/save/", self.form(**{"d.depth": "deep"})), 422
        )
        self.assertIn('value="deep"', text)
        form = self.form(**{"d.depth": "-1", "d.name": ATTACK})
        text = self.assert_is(self.send(self.alice, "/lorebooks/vell/entry/save/", form), 422)
        self.assertIn("must be at least 0", text)
        self.assertNotIn(ATTACK, text)

    def test_a_new_entry_comes_last_and_another_may_follow(self) -> None:
        form = {
            "d.all": "1",
            "d.name": "Owl",
            "d.keys": "owl",
            "d.content": "Hoo.",
            "d.enabled": "on",
            "d.selective": "on",
        }
        answer = self.send(self.alice, "/lorebooks/vell/entry/save/", form | {"action": "another"})
        self.assertEqual(answer["Location"], "/t/tavern/lorebooks/vell/entry/")
        self.assertEqual(self.entries()[3], {"uid": "2.1", "name": "Owl", "keys": ["owl"], "content": "Hoo."})

    def test_it_is_saved_as_another_and_removed(self) -> None:
        answer = self.send(self.alice, "/lorebooks/vell/entry/save/", self.form(action="copy"))
        self.assertEqual(answer["Location"], "/t/tavern/lorebooks/vell/entry/?uid=2.1")
        self.assertEqual(self.entries()[1], ENTRIES[1])
        self.assertEqual(self.entries()[3]["name"], "Gulls")
        self.assert_is(self.send(self.alice, "/lorebooks/vell/entry/save/", self.form(action="delete")), 302)
        self.assertEqual([one["uid"] for one in self.entries()], ["h", "s/1", "2.1"])
        self.assert_is(self.send(self.alice, "/lorebooks/vell/entry/save/", self.form()), 404)

    def test_a_conflict_shows_both_texts_and_the_next_save_goes_on_top(self) -> None:
        form = self.form()
        self.send(self.alice, "/lorebooks/vell/entry/save/", self.form(**{"d.content": "They sing."}))
        text = self.assert_is(self.send(self.alice, "/lorebooks/vell/entry/save/", form), 409)
        self.assertIn("<del>sing</del>", text)
        self.assertIn("They steal.</textarea>", text)
        self.assert_is(self.send(self.alice, "/lorebooks/vell/entry/save/", form | {"baseRevision": "2"}), 302)
        self.assertEqual(self.entries()[1]["content"], "They steal.")

    def test_another_entry_s_change_is_no_conflict(self) -> None:
        form = self.form()
        self.send(self.alice, "/lorebooks/vell/entries/", self.rows(**{"d.e.0.order": "9"}))
        self.assert_is(self.send(self.alice, "/lorebooks/vell/entry/save/", form), 302)

    def test_json_holds_what_the_fields_say_and_is_saved(self) -> None:
        text = self.assert_is(self.send(self.alice, "/lorebooks/vell/entry/save/", self.form(do="json")), 200)
        self.assertIn("&quot;position&quot;: &quot;at_depth&quot;", text)
        document = {"name": "Gulls", "keys": ["g"], "extensions": {"y": 2}}
        form = {"uid": "g", "baseRevision": "1", "d.json": json.dumps(document)}
        self.assert_is(self.send(self.alice, "/lorebooks/vell/entry/save/", form), 302)
        self.assertEqual(self.entries()[1], {"uid": "g", **document})


class SettingsAndTryTests(BookCase):
    def test_settings_are_fields_and_the_entries_stay(self) -> None:
        text = self.assert_is(self.page(self.alice, "/lorebooks/vell/settings/"), 200)
        self.assertNotIn("Three piers", text)
        form = {"d.all": "1", "baseRevision": "1", "d.name": "Vell", "d.scanDepth": "0", "d.recursive": "true"}
        self.assert_is(self.send(self.alice, "/lorebooks/vell/save/", form), 302)
        document = selectors.document(self.book(), selectors.revision(self.book()))
        self.assertEqual((document["scanDepth"], document["recursive"]), (0, True))
        self.assertEqual(self.entries(), ENTRIES)

    def test_a_text_shows_which_entries_it_calls_and_why(self) -> None:
        text = self.assert_is(self.send(self.bob, "/lorebooks/vell/try/", {"text": "A gull on the Pier, a star"}), 200)
        self.assertIn("2 entries are in", text)
        self.assertIn("“pier”", text)
        self.assertIn("before the character, order 5", text)
        self.assertIn("1 other entry has no key in it", text)
        self.assertNotIn(ATTACK, text)
        self.assert_is(self.send(self.charlie, "/lorebooks/vell/try/", {"text": "gull"}), 404)
