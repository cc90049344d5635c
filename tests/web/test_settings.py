"""Settings of the team and of one person: conflicts, history, restore, and who may what."""

from __future__ import annotations

import json

from formats import selectors as settings
from formats.services.settings import patch_settings
from neotavern.accounts.models import Membership, Team
from tests.web.case import PageCase


class SettingsPageTests(PageCase):
    def setUp(self) -> None:
        super().setUp()
        self.make()
        self.base = "/t/tavern"

    def posted(self, **changes: str) -> dict[str, str]:
        return {"base": json.dumps(settings.settings_document(self.alice.actor))} | changes

    def test_two_people_who_change_different_ones_do_not_meet(self) -> None:
        form = self.posted(instructFormat="house", variables="")
        patch_settings(self.alice.actor, {"variables": {"place": "quay"}})
        self.assert_is(self.send(self.alice, "/settings/", form), 302)
        found = settings.settings_document(self.alice.actor)
        self.assertEqual((found["instructFormat"], found["variables"]), ("house", {"place": "quay"}))

    def test_the_loser_of_a_race_sees_both_and_loses_nothing(self) -> None:
        form = self.posted(variables="place=<b>mine</b>")
        patch_settings(self.alice.actor, {"variables": {"place": "theirs"}})
        text = self.assert_is(self.send(self.alice, "/settings/", form), 409)
        self.assertIn("while you were typing", text)
        self.assertIn("place=&lt;b&gt;mine&lt;/b&gt;</textarea>", text)
        self.assertIn("theirs", text)
        self.assertEqual(settings.settings_document(self.alice.actor)["variables"], {"place": "theirs"})
        self.assert_is(self.send(self.alice, "/settings/", self.posted(variables="place=mine")), 302)
        self.assertEqual(settings.settings_document(self.alice.actor)["variables"], {"place": "mine"})

    def test_a_fault_stands_at_its_field(self) -> None:
        text = self.assert_is(self.send(self.alice, "/settings/", self.posted(maxContextTokens="lots")), 422)
        self.assertIn('value="lots"', text)
        self.assertIn("not a whole number", text)

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
