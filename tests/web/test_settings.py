"""Settings of the team and of one person: conflicts, history, restore, and who may what."""

from __future__ import annotations

import json

from formats import selectors as settings
from formats.services.settings import patch_settings
from formats.stored.app_settings import DEFAULTS
from formats.web import settings_fields
from neotavern.accounts.models import Membership, Team
from neotavern.library import services
from tests.web.case import PageCase


class SettingsPageTests(PageCase):
    def setUp(self) -> None:
        super().setUp()
        self.make()
        self.base = "/t/tavern"

    def posted(self, **changes: str) -> dict[str, str]:
        return {"base": json.dumps(settings.settings_document(self.alice.actor))} | changes

    def variables(self, *pairs: tuple[str, str]) -> dict[str, str]:
        """What a browser sends for rows of variables."""
        form = {"d.variables": " ".join(f"n{at}-variable" for at in range(len(pairs)))}
        for at, (name, text) in enumerate(pairs):
            place = f"d.variables.n{at}-variable."
            form |= {f"{place}raw": "{}", f"{place}name": name, f"{place}text": text}
        return form

    def test_two_people_who_change_different_ones_do_not_meet(self) -> None:
        form = self.posted(instructFormat="house", **self.variables())
        patch_settings(self.alice.actor, {"variables": {"place": "quay"}})
        self.assert_is(self.send(self.alice, "/settings/", form), 302)
        found = settings.settings_document(self.alice.actor)
        self.assertEqual((found["instructFormat"], found["variables"]), ("house", {"place": "quay"}))

    def test_the_loser_of_a_race_sees_both_and_loses_nothing(self) -> None:
        form = self.posted(**self.variables(("place", "<b>mine</b>")))
        patch_settings(self.alice.actor, {"variables": {"place": "theirs"}})
        text = self.assert_is(self.send(self.alice, "/settings/", form), 409)
        self.assertIn("while you were typing", text)
        self.assertIn("&lt;b&gt;mine&lt;/b&gt;</textarea>", text)
        self.assertIn("theirs", text)
        self.assertEqual(settings.settings_document(self.alice.actor)["variables"], {"place": "theirs"})
        self.assert_is(self.send(self.alice, "/settings/", self.posted(**self.variables(("place", "mine")))), 302)
        self.assertEqual(settings.settings_document(self.alice.actor)["variables"], {"place": "mine"})

    def test_a_fault_stands_at_its_field(self) -> None:
        text = self.assert_is(self.send(self.alice, "/settings/", self.posted(maxContextTokens="lots")), 422)
        self.assertIn('value="lots"', text)
        self.assertIn("not a whole number", text)

    def test_every_setting_has_a_control(self) -> None:
        self.assertEqual({one.name for one in settings_fields.ALL}, set(DEFAULTS))
        self.assert_is(self.send(self.alice, "/settings/", self.posted(contextCut="512")), 302)
        self.assertEqual(settings.settings_document(self.alice.actor)["contextCut"], 512)

    def test_variables_are_rows_and_every_fault_stands_at_its_row(self) -> None:
        form = self.posted(**self.variables(("place", "two\r\nlines"), ("straße", "{{user}}")))
        self.assert_is(self.send(self.alice, "/settings/", form), 302)
        self.assertEqual(
            settings.settings_document(self.alice.actor)["variables"], {"place": "two\nlines", "straße": "{{user}}"}
        )
        for pairs, row, message in (
            ((("place", "x"), ("", "y")), 1, "A name is needed."),
            ((("a", "x"), ("b", "x"), ("a", "y")), 2, "This name is there twice."),
            ((("fine", "x"), ("a b", "y")), 1, "is no name"),
            ((("long", "x" * 2_049), ("b", "")), 0, "more than 2,048 characters"),
        ):
            with self.subTest(message=message):
                text = self.assert_is(self.send(self.alice, "/settings/", self.posted(**self.variables(*pairs))), 422)
                rows = text.split('<li class="row inline"')[1:]
                self.assertEqual(
                    [message in one for one in rows[: len(pairs)]], [at == row for at in range(len(pairs))]
                )
        self.assertEqual(len(settings.settings_document(self.alice.actor)["variables"]), 2)

    def test_a_row_is_added_and_removed_without_a_script(self) -> None:
        form = self.posted(**self.variables(("place", "quay"), ("sea", "calm")))
        text = self.assert_is(self.send(self.alice, "/settings/", form | {"do": "remove:variables:n0-variable"}), 200)
        self.assertNotIn("quay", text)
        self.assertIn("calm</textarea>", text)
        self.assertEqual(settings.settings_document(self.alice.actor)["variables"], {})

    def test_where_variables_are_used(self) -> None:
        patch_settings(self.alice.actor, {"variables": {"Place": "quay", "sea": "calm", "alone": "x"}})
        persona = {"kind": "persona", "version": 1, "name": "Hers", "description": "{{place}}"}
        services.create(self.alice.actor, kind="persona", document=persona)
        character = {"kind": "character", "version": 1, "name": "Mira", "description": "At {{ PLACE }}."}
        services.create(self.alice.actor, kind="character", document=character)
        entry = {"uid": "1", "name": "Sea", "content": "The {{sea}}, not sea."}
        book = {"kind": "lorebook", "version": 1, "id": "vell", "name": "Vell", "entries": [entry]}
        services.create(self.alice.actor, kind="lorebook", document=book)
        text = self.assert_is(self.page(self.bob, "/settings/"), 200).split("Where they are used")[1]
        self.assertIn(">Mira</a>", text)
        self.assertIn('/lorebooks/vell/entry/?uid=1">Vell / 1</a>', text)
        self.assertEqual(text.count("in no stored text"), 1)
        self.assertNotIn("Hers", text)
        self.assertIn(">Hers</a>", self.assert_is(self.page(self.alice, "/settings/"), 200))

    def test_variables_of_one_s_own_are_set_and_left_to_the_team_again(self) -> None:
        self.assert_is(self.send(self.bob, "/settings/me/", self.variables(("place", "mine"))), 302)
        self.assertEqual(settings.personal_settings(self.bob.actor).document, {"variables": {"place": "mine"}})
        self.assert_is(self.send(self.bob, "/settings/me/", self.variables()), 302)
        self.assertEqual(settings.personal_settings(self.bob.actor).document, {})

    def test_mine_is_apart_from_the_team_s(self) -> None:
        self.assert_is(self.send(self.bob, "/settings/me/", {"instructFormat": "house", "contextStrategy": "="}), 302)
        self.assertEqual(settings.personal_settings(self.bob.actor).document, {"instructFormat": "house"})
        self.assertIsNone(settings.settings_document(self.alice.actor)["instructFormat"])
        self.assertNotIn('value="house" selected', self.assert_is(self.page(self.alice, "/settings/me/"), 200))
        self.assert_is(self.send(self.bob, "/settings/me/", {"instructFormat": "="}), 302)
        self.assertEqual(settings.personal_settings(self.bob.actor).document, {})

    def test_history_shows_what_changed_and_leads_back(self) -> None:
        patch_settings(self.alice.actor, {"instructFormat": "house"})
        patch_settings(self.alice.actor, {"instructFormat": None}, note="<i>off</i>")
        text = self.assert_is(self.page(self.bob, "/settings/team/revisions/"), 200)
        self.assertIn("<ins>house</ins>", text)
        self.assertIn("&lt;i&gt;off", text)
        self.assertNotIn("/settings/team/restore/", text)
        self.assert_is(self.send(self.bob, "/settings/team/restore/1/"), 403)
        self.assert_is(self.send(self.alice, "/settings/team/restore/1/"), 302)
        self.assertEqual(settings.settings_document(self.alice.actor)["instructFormat"], "house")
        self.assert_is(self.page(self.alice, "/settings/me/revisions/"), 200)
        self.assert_is(self.page(self.alice, "/settings/nobody/revisions/"), 404)

    def test_a_team_may_leave_them_to_administrators(self) -> None:
        Team.objects.filter(pk=self.team.pk).update(policy='{"settingsBy": "admin"}')
        Membership.objects.filter(user=self.bob.user).update(role="editor")
        self.assertIn("Administrators set the defaults", self.assert_is(self.page(self.bob, "/settings/"), 200))
        self.assert_is(self.send(self.bob, "/settings/", self.posted(instructFormat="house")), 403)
        self.assert_is(self.send(self.bob, "/formats/house/default/"), 403)
        self.assert_is(self.send(self.bob, "/formats/house/default/", {"for": "me"}), 302)

    def test_charlie_and_nobody(self) -> None:
        for path in ("/settings/me/", "/settings/team/revisions/"):
            self.assert_is(self.page(self.charlie, path), 404)
            self.assert_to_login(self.page(None, path))
        self.assert_is(self.send(self.charlie, "/settings/me/", {}), 404)


class RequestTabTests(PageCase):
    def test_each_provider_is_shown_its_body(self) -> None:
        document = self.make() and self.stored()
        base = {"base": json.dumps(document), "o.mode": "request", "o.sample": "short", "o.generation": "on"}
        for provider, part in (("koboldai", "stop_sequence"), ("anthropic", "/v1/messages"), ("novelai", "parameters")):
            text = self.assert_is(self.send(self.bob, "/preview/", base | {"o.provider": provider}), 200)
            self.assertIn(part, text)
