"""Every stored kind has a list, a page to read and edit, history, comparison, labels; presets as fields."""

from __future__ import annotations

import json
from typing import Any

from neotavern.library import selectors, services
from neotavern.library.web.collections import collections
from tests.web.case import PageCase

PRESET = {"kind": "preset", "version": 1, "id": "writing", "name": "Writing", "maxContextTokens": 8192}
ATTACK = "<script>alert(1)</script>"


class PresetTests(PageCase):
    def setUp(self) -> None:
        super().setUp()
        self.make()
        services.create(self.alice.actor, kind="preset", document=PRESET)

    def preset(self) -> dict[str, Any]:
        item = selectors.get_item(self.alice.actor, kind="preset", slug="writing")
        return selectors.document(item, selectors.revision(item))

    def test_fields_are_saved_and_what_nobody_touched_stays(self) -> None:
        form = {
            "d.all": "1", "baseRevision": "1", "base": json.dumps(PRESET), "d.name": "Writing",
            "d.maxContextTokens": "8192", "d.instructFormat": "house", "d.thinking": "false",
            "d.stopStrings": "\\nUser:", "d.contextStrategy": "",
        }  # fmt: skip
        self.assert_is(self.send(self.alice, "/presets/writing/save/", form), 302)
        self.assertEqual(
            self.preset(), PRESET | {"instructFormat": "house", "thinking": False, "stopStrings": ["\nUser:"]}
        )
        text = self.assert_is(self.page(self.alice, "/presets/writing/"), 200)
        self.assertIn('<option value="false" selected>', text)
        self.assertIn("used by 1 object", self.assert_is(self.page(self.alice, "/formats/"), 200))

    def test_a_fault_stands_at_its_field_with_everything_as_typed(self) -> None:
        form = {"d.all": "1", "baseRevision": "1", "d.name": ATTACK, "d.maxContextTokens": "lots"}
        text = self.assert_is(self.send(self.alice, "/presets/writing/save/", form), 422)
        self.assertIn('value="lots"', text)
        self.assertNotIn(ATTACK, text)
        form = {"d.all": "1", "baseRevision": "1", "d.name": "W", "d.instructFormat": "nobody"}
        self.assertIn("nobody", self.assert_is(self.send(self.alice, "/presets/writing/save/", form), 422))

    def test_it_is_made_active_for_the_team_and_for_me(self) -> None:
        self.assert_is(self.send(self.alice, "/presets/writing/default/"), 302)
        self.assertIn(">active<", self.assert_is(self.page(self.alice, "/presets/"), 200))
        self.assert_is(self.send(self.bob, "/presets/writing/default/"), 403)
        self.assert_is(self.send(self.bob, "/presets/writing/default/", {"for": "me"}), 302)
        self.assertIn("active for you", self.assert_is(self.page(self.bob, "/presets/writing/"), 200))
        self.assert_is(self.send(self.bob, "/presets/writing/default/", {"for": "follow"}), 302)
        self.assertNotIn("active for you", self.assert_is(self.page(self.bob, "/presets/writing/"), 200))

    def test_a_conflict_shows_both_and_the_next_save_goes_on_top(self) -> None:
        item = selectors.get_item(self.alice.actor, kind="preset", slug="writing")
        services.save(self.alice.actor, item=item, document=PRESET | {"name": "Theirs"}, base_revision=1)
        form = {"d.all": "1", "baseRevision": "1", "base": json.dumps(PRESET), "d.name": "Mine"}
        text = self.assert_is(self.send(self.alice, "/presets/writing/save/", form), 409)
        self.assertIn("<del>Theirs</del>", text)
        self.assertIn("<ins>Mine</ins>", text)
        self.assertEqual(self.preset()["name"], "Theirs")
        self.assert_is(self.send(self.alice, "/presets/writing/save/", form | {"baseRevision": "2"}), 302)
        self.assertEqual(self.preset()["name"], "Mine")


class EveryKindTests(PageCase):
    def test_lists_and_new_pages_open_for_whom_they_may(self) -> None:
        for kind in collections():
            with self.subTest(kind=kind.name):
                self.assert_is(self.page(self.alice, f"/{kind.plural_path}/"), 200)
                self.assert_is(self.page(self.bob, f"/{kind.plural_path}/"), 200)
                self.assert_is(self.page(self.alice, f"/{kind.plural_path}/new/"), 200)
                self.assert_is(self.page(self.bob, f"/{kind.plural_path}/new/"), 403)
                self.assert_is(self.page(self.charlie, f"/{kind.plural_path}/"), 404)
                self.assert_to_login(self.page(None, f"/{kind.plural_path}/"))

    def test_a_character_lives_its_life_as_json(self) -> None:
        document = {"kind": "character", "version": 1, "name": "Mira", "description": ATTACK}
        made = self.send(self.alice, "/characters/new/", {"slug": "mira", "d.json": json.dumps(document)})
        self.assertEqual(made["Location"], "/t/tavern/characters/mira/")
        for path in ("", "revisions/", "diff/", "labels/", "export/", "clone/"):
            text = self.assert_is(self.page(self.alice, f"/characters/mira/{path}"), 200)
            if path != "export/":
                self.assertNotIn(ATTACK, text)
        changed = {"baseRevision": "1", "d.json": json.dumps(document | {"id": "mira", "name": "Mira B."})}
        self.assert_is(self.send(self.alice, "/characters/mira/save/", changed), 302)
        self.assertIn("<ins>", self.assert_is(self.page(self.alice, "/characters/mira/diff/"), 200))
        self.assert_is(self.send(self.alice, "/characters/mira/restore/1/"), 302)
        self.assert_is(self.send(self.alice, "/characters/mira/archive/"), 302)
        self.assertIn("mira", self.assert_is(self.page(self.alice, "/characters/?archived=1"), 200))

    def test_what_is_no_json_comes_back_with_its_place(self) -> None:
        form = {"slug": "mira", "d.json": '{"name":\n oops}'}
        text = self.assert_is(self.send(self.alice, "/characters/new/", form), 422)
        self.assertIn("line 2, column 2", text)
        self.assertIn("oops}</textarea>", text)
        self.assertIn("object", self.assert_is(self.send(self.alice, "/characters/new/", form | {"d.json": "[]"}), 422))

    def test_an_unknown_collection_is_nothing(self) -> None:
        self.assert_is(self.page(self.alice, "/nothings/"), 404)

    def test_a_clone_has_a_name_of_its_own(self) -> None:
        self.make()
        self.assertIn('value="House style copy"', self.assert_is(self.page(self.alice, "/formats/house/clone/"), 200))
        self.assert_is(self.send(self.alice, "/formats/house/clone/", {"slug": "mine", "name": "My own"}), 302)
        self.assertEqual(self.stored("mine")["name"], "My own")

    def test_search_finds_every_kind(self) -> None:
        services.create(self.alice.actor, kind="preset", document=PRESET)
        text = self.assert_is(self.page(self.alice, "/search/?q=writing"), 200)
        self.assertIn('href="/t/tavern/presets/writing/"', text)
        self.assertIn("/presets/new/", self.assert_is(self.page(self.alice, "/search/?q=preset"), 200))
        self.assertNotIn("/presets/new/", self.assert_is(self.page(self.bob, "/search/?q=preset"), 200))
