"""Saving without a script: every button is a form, and what can not be saved comes back as it was typed."""

from __future__ import annotations

from typing import Any

from formats import selectors as settings
from neotavern.library import selectors, services
from tests.web.case import KIND, PageCase, document, form_of


class SaveTests(PageCase):
    def setUp(self) -> None:
        super().setUp()
        self.make()

    def form(self, base: int = 1, **changes: str) -> dict[str, Any]:
        return form_of(document()) | {"baseRevision": base} | changes

    def test_it_saves_the_next_revision_and_says_so(self) -> None:
        answer = self.send(
            self.alice, "/formats/house/save/", self.form(note="louder", **{"d.user": "<U>{{{content}}}"})
        )
        self.assertEqual((answer.status_code, answer["Location"]), (302, "/t/tavern/formats/house/"))
        self.assertEqual(self.stored(), document(user="<U>{{{content}}}"))
        text = self.assert_is(self.client.get(answer["Location"]), 200)
        self.assertIn("Saved as revision 2.", text)
        self.assertIn("Save as revision 3", text)

    def test_equal_content_makes_no_revision(self) -> None:
        self.send(self.alice, "/formats/house/save/", self.form())
        item = selectors.get_item(self.alice.actor, kind=KIND, slug="house")
        self.assertEqual(item.last_number, 1)

    def test_a_broken_template_comes_back_with_the_error_at_its_place(self) -> None:
        typed = "one\n{{#if content}}x"
        text = self.assert_is(
            self.send(self.alice, "/formats/house/save/", self.form(note="n", **{"d.user": typed})), 422
        )
        self.assertIn("one\n{{#if content}}x</textarea>", text)
        self.assertIn("Not saved", text)
        self.assertIn('value="n"', text)
        self.assertIn("Line ", text)
        self.assertEqual(self.stored(), document())

    def test_a_misspelt_variable_is_refused_with_a_hint(self) -> None:
        text = self.assert_is(
            self.send(self.alice, "/formats/house/save/", self.form(**{"d.user": "{{contnet}}"})), 422
        )
        self.assertIn("content", text)

    def test_json_that_is_none_comes_back(self) -> None:
        text = self.assert_is(self.send(self.alice, "/formats/house/save/", self.form(**{"d.tests": "[{]"})), 422)
        self.assertIn("[{]</textarea>", text)
        self.assertIn("Line 1, column", text)

    def test_a_stale_base_shows_both_texts_and_loses_neither(self) -> None:
        item = selectors.get_item(self.alice.actor, kind=KIND, slug="house")
        theirs = document(user="<theirs>{{{content}}}")
        services.save(self.alice.actor, item=item, document=theirs, base_revision=1, note="quick one")
        mine = self.form(**{"d.user": "<mine>{{{content}}}", "base": "not json"})
        text = self.assert_is(self.send(self.alice, "/formats/house/save/", mine), 409)
        self.assertIn("alice saved revision 2 while you were typing", text)
        self.assertIn("&lt;<del>theirs</del>&gt;{{{content}}}</pre>", text)
        self.assertIn("&lt;<ins>mine</ins>&gt;{{{content}}}</pre>", text)
        self.assertIn("&lt;mine&gt;{{{content}}}</textarea>", text)
        self.assertIn('name="baseRevision" value="2"', text)
        self.assertIn("quick one", text)
        self.assertEqual(self.stored(), theirs)

    def test_after_a_conflict_the_next_save_goes_on_top(self) -> None:
        item = selectors.get_item(self.alice.actor, kind=KIND, slug="house")
        services.save(self.alice.actor, item=item, document=document(user="<t>{{{content}}}"), base_revision=1)
        self.assert_is(
            self.send(self.alice, "/formats/house/save/", self.form(2, **{"d.user": "<m>{{{content}}}"})), 302
        )
        self.assertEqual(self.stored()["user"], "<m>{{{content}}}")

    def test_a_missing_or_wild_base_is_a_conflict(self) -> None:
        for base in ("", "x", "99999999999999999999", "-1"):
            with self.subTest(base=base):
                self.assert_is(self.send(self.alice, "/formats/house/save/", self.form() | {"baseRevision": base}), 409)

    def test_a_red_revision_says_that_it_is_not_published(self) -> None:
        red = '[{"name": "t", "messages": [{"role": "user", "content": "Hi"}], "expected": "other"}]'
        answer = self.send(self.alice, "/formats/house/save/", self.form(**{"d.tests": red}))
        text = self.assert_is(self.client.get(answer["Location"]), 200)
        self.assertIn("not published", text)
        self.assertIn("revision 2 is red", text)
        self.assertIn('name="force"', text)

    def test_an_old_revision_is_read_only_and_restored_by_a_button(self) -> None:
        self.send(self.alice, "/formats/house/save/", self.form(**{"d.user": "<U>{{{content}}}"}))
        text = self.assert_is(self.page(self.alice, "/formats/house/?revision=1"), 200)
        self.assertIn("You read revision 1; the newest is 2.", text)
        self.assertNotIn('name="d.user"', text)
        self.assert_is(self.send(self.alice, "/formats/house/restore/1/"), 302)
        self.assertEqual(self.stored(), document())

    def test_a_revision_that_does_not_exist_is_not_found(self) -> None:
        self.assert_is(self.page(self.alice, "/formats/house/?revision=7"), 404)
        self.assert_is(self.send(self.alice, "/formats/house/restore/7/"), 404)


class OtherButtonTests(PageCase):
    def setUp(self) -> None:
        super().setUp()
        self.make()
        self.load_builtins()

    def test_a_built_in_is_read_and_cloned(self) -> None:
        text = self.assert_is(self.page(self.alice, "/formats/chatml/"), 200)
        self.assertIn("Clone to change", text)
        self.assertNotIn('name="d.user"', text)
        answer = self.send(self.alice, "/formats/chatml/clone/", {"slug": "mine"})
        self.assertEqual((answer.status_code, answer["Location"]), (302, "/t/tavern/formats/mine/"))
        self.assertIn('name="d.user"', self.assert_is(self.page(self.alice, "/formats/mine/"), 200))

    def test_a_taken_slug_says_so_beside_the_field(self) -> None:
        text = self.assert_is(self.send(self.alice, "/formats/chatml/clone/", {"slug": "house"}), 409)
        self.assertIn("is taken", text)

    def test_a_built_in_can_not_be_saved(self) -> None:
        self.assert_is(self.send(self.alice, "/formats/chatml/save/", {"baseRevision": 1}), 403)

    def test_a_new_format_is_created(self) -> None:
        form = form_of(document("fresh")) | {"slug": "fresh"}
        answer = self.send(self.alice, "/formats/new/", form)
        self.assertEqual((answer.status_code, answer["Location"]), (302, "/t/tavern/formats/fresh/"))
        self.assertEqual(self.stored("fresh"), document("fresh"))

    def test_a_new_format_starts_from_another(self) -> None:
        text = self.assert_is(self.page(self.alice, "/formats/new/?from=chatml"), 200)
        self.assertIn("&lt;|im_start|&gt;user", text)
        self.assert_is(self.page(self.alice, "/formats/new/?from=nothing"), 404)

    def test_a_new_format_without_name_or_slug_comes_back(self) -> None:
        form = form_of(document("fresh", name="")) | {"slug": "Not A Slug", "d.user": "typed {{{content}}}"}
        text = self.assert_is(self.send(self.alice, "/formats/new/", form), 422)
        self.assertIn('value="Not A Slug"', text)
        self.assertIn("typed {{{content}}}</textarea>", text)

    def test_make_active_moves_the_mark(self) -> None:
        self.assert_is(self.send(self.alice, "/formats/house/activate/"), 302)
        self.assertEqual(settings.settings_document(self.alice.actor)["instructFormat"], "house")
        text = self.assert_is(self.page(self.alice, "/formats/?q=house"), 200)
        self.assertIn('<span class="chip on">active</span>', text)

    def test_the_way_back_from_make_active_stays_here(self) -> None:
        answer = self.send(self.alice, "/formats/house/activate/", {"next": "//elsewhere.example/"})
        self.assertEqual(answer["Location"], "/t/tavern/formats/house/")

    def test_archive_and_back(self) -> None:
        self.assert_is(self.send(self.alice, "/formats/house/archive/"), 302)
        self.assertNotIn("House style</a>", self.assert_is(self.page(self.alice, "/formats/"), 200))
        self.assertIn("House style</a>", self.assert_is(self.page(self.alice, "/formats/?archived=1"), 200))
        self.assertIn("Bring back", self.assert_is(self.page(self.alice, "/formats/house/"), 200))
        self.assert_is(self.send(self.alice, "/formats/house/unarchive/"), 302)
        self.assertIn("House style</a>", self.assert_is(self.page(self.alice, "/formats/"), 200))

    def test_what_is_active_can_not_be_archived(self) -> None:
        self.send(self.alice, "/formats/house/activate/")
        self.assertIn("in use", self.assert_is(self.send(self.alice, "/formats/house/archive/"), 409))

    def test_export_is_the_bare_document(self) -> None:
        answer = self.page(self.alice, "/formats/house/export/")
        self.assertEqual(answer.json(), document())  # type: ignore[attr-defined]
        self.assertEqual(answer["Content-Disposition"], 'attachment; filename="house.json"')

    def test_the_settings_are_saved(self) -> None:
        rows = {"d.variables.0-variable.raw": "{}", "d.variables.1-variable.raw": "{}"}
        rows |= {"d.variables.0-variable.name": "place", "d.variables.0-variable.text": "the café"}
        rows |= {"d.variables.1-variable.name": "sign", "d.variables.1-variable.text": "a\r\nb"}
        form = {"instructFormat": "house", "serializeAsText": "true", "d.variables": "0-variable 1-variable", **rows}
        self.assert_is(self.send(self.alice, "/settings/", form), 302)
        found = settings.settings_document(self.alice.actor)
        self.assertEqual(
            (found["instructFormat"], found["serializeAsText"], found["variables"]),
            ("house", True, {"place": "the café", "sign": "a\nb"}),
        )
        self.assertIn("a\nb</textarea>", self.assert_is(self.page(self.alice, "/settings/"), 200))
        self.send(self.alice, "/settings/", {"instructFormat": ""})
        self.assertIsNone(settings.settings_document(self.alice.actor)["instructFormat"])

    def test_settings_that_are_wrong_come_back(self) -> None:
        rows = {
            "d.variables": "0-variable",
            "d.variables.0-variable.raw": "{}",
            "d.variables.0-variable.name": "no sign",
        }
        form = {"instructFormat": "nothing", **rows}
        text = self.assert_is(self.send(self.alice, "/settings/", form), 422)
        self.assertIn('value="no sign"', text)
        self.assert_is(self.send(self.alice, "/settings/", {"instructFormat": "nothing"}), 422)


class ImportTests(PageCase):
    V1 = {
        "id": "old",
        "version": 1,
        "system": "{{content}}",
        "user": "U {{content}}",
        "assistant": "A {{content}}",
        "tool": "T {{content}}",
        "promptSuffix": "A ",
        "stopStrings": ["", "U "],
    }

    def send_text(self, text: str, **extra: str) -> str:
        return self.assert_is(self.send(self.alice, "/formats/import/", {"text": text, **extra}), 200)

    def test_a_pasted_document_is_created_and_its_losses_named(self) -> None:
        import json

        text = self.send_text(json.dumps(self.V1))
        self.assertIn('href="/t/tavern/formats/old/"', text)
        self.assertIn("created", text)
        self.assertIn("stopStrings", text)
        self.assertEqual(self.stored("old")["stopStrings"], ["U "])

    def test_a_trial_stores_nothing(self) -> None:
        import json

        text = self.send_text(json.dumps(document()), trial="1")
        self.assertIn("nothing was stored", text)
        self.assert_is(self.page(self.alice, "/formats/house/"), 404)

    def test_each_of_a_list_stands_for_itself(self) -> None:
        import json

        text = self.send_text(json.dumps([document(), {"what": "ever"}, document("bad", user="{{#if}}")]))
        self.assertEqual(text.count(">refused<"), 2)
        self.assert_is(self.page(self.alice, "/formats/house/"), 200)

    def test_a_file_is_read(self) -> None:
        import json

        from django.core.files.uploadedfile import SimpleUploadedFile

        file = SimpleUploadedFile("house.json", json.dumps(document()).encode(), "application/json")
        self.assert_is(self.send(self.alice, "/formats/import/", {"file": file}), 200)
        self.assertEqual(self.stored(), document())

    def test_what_is_not_json_is_refused_by_itself(self) -> None:
        self.assertIn(">refused<", self.send_text("{nonsense"))

    def test_an_empty_form_says_what_to_do(self) -> None:
        self.assertIn("Choose a file", self.assert_is(self.send(self.alice, "/formats/import/", {}), 422))
