"""Pages of members, invitations, keys, audit trail and rules: who sees them, and what they do."""

from __future__ import annotations

import json
import re
from datetime import timedelta

from django.core import mail
from django.test import override_settings
from django.utils import timezone

from neotavern.accounts import selectors
from neotavern.accounts.models import ApiKey, AuditEntry, Invitation, Membership, Team, User
from neotavern.accounts.services import invitations, keys
from tests.teams import Person
from tests.web.case import PageCase

READ = ["/people/", "/people/bob/remove/", "/keys/", "/audit/", "/audit/export/", "/team/"]
POST = ["/people/invite/", "/people/add/", "/people/bob/role/", "/people/bob/remove/", "/keys/", "/team/"]
LANTERN = "lantern on the quay"


class AccessTests(PageCase):
    def setUp(self) -> None:
        super().setUp()
        self.dora = Person("dora", self.team, "editor")
        key = keys.make_key(actor=self.alice.actor, name="one", scopes=["read"])
        invitations.invite(actor=self.alice.actor, role="viewer")
        invitation = Invitation.objects.get(team=self.team)
        self.read = [*READ, f"/keys/{key.id}/revoke/"]
        self.post = [*POST, f"/keys/{key.id}/revoke/", f"/people/invitations/{invitation.pk}/revoke/"]

    def test_alice_reads(self) -> None:
        for path in self.read:
            with self.subTest(path=path):
                self.assertEqual(self.page(self.alice, path).status_code, 200)

    def test_a_viewer_and_an_editor_are_told_whom_to_ask(self) -> None:
        for who in (self.bob, self.dora):
            for path in self.read:
                with self.subTest(path=path, who=who.name):
                    self.assertIn("<b>alice</b>", self.assert_is(self.page(who, path), 403))

    def test_they_can_not_send_anything(self) -> None:
        before = (
            Membership.objects.count(),
            ApiKey.objects.count(),
            Invitation.objects.filter(revoked_at=None).count(),
        )
        for who in (self.bob, self.dora):
            for path in self.post:
                with self.subTest(path=path, who=who.name):
                    self.assert_is(self.send(who, path, {"role": "owner"}), 403)
        after = (Membership.objects.count(), ApiKey.objects.count(), Invitation.objects.filter(revoked_at=None).count())
        self.assertEqual(after, before)

    def test_charlie_finds_nothing(self) -> None:
        for path in self.read:
            with self.subTest(path=path):
                self.assert_is(self.page(self.charlie, path), 404)
        for path in self.post:
            with self.subTest(path=path):
                self.assert_is(self.send(self.charlie, path), 404)

    def test_nobody_logs_in_first(self) -> None:
        for path in self.read:
            with self.subTest(path=path):
                self.assert_to_login(self.page(None, path))
        for path in self.post:
            with self.subTest(path=path):
                self.assert_to_login(self.send(None, path))

    def test_another_teams_rows_do_not_exist_under_ones_own_address(self) -> None:
        key = ApiKey.objects.filter(team=self.team).first()
        invitation = Invitation.objects.get(team=self.team)
        assert key is not None
        self._be(self.charlie)
        for path in (
            f"/t/harbour/keys/{key.pk}/revoke/",
            f"/t/harbour/people/invitations/{invitation.pk}/revoke/",
            "/t/harbour/people/bob/remove/",
            "/t/harbour/people/bob/role/",
        ):
            with self.subTest(path=path):
                self.assertEqual(self.client.post(path, {"role": "viewer"}).status_code, 404)

    def test_only_administrators_have_the_entry_in_the_top_bar(self) -> None:
        self.assertIn('href="/t/tavern/people/"', self.assert_is(self.page(self.alice, "/formats/"), 200))
        self.assertNotIn('href="/t/tavern/people/"', self.assert_is(self.page(self.dora, "/formats/"), 200))


class MemberPageTests(PageCase):
    def test_a_role_is_changed(self) -> None:
        self.assert_is(self.send(self.alice, "/people/bob/role/", {"role": "editor"}), 302)
        self.assertEqual(Membership.objects.get(user=self.bob.user).role, "editor")

    def test_who_steps_down_is_led_to_a_page_that_is_open(self) -> None:
        dora = Person("dora", self.team, "owner")
        answer = self.send(dora, "/people/dora/role/", {"role": "editor"})
        self.assertEqual((answer.status_code, answer["Location"]), (302, "/t/tavern/formats/"))

    def test_the_last_owner_is_not_offered_to_go_and_can_not(self) -> None:
        self.assertNotIn("/people/alice/remove/", self.assert_is(self.page(self.alice, "/people/"), 200))
        self.assert_is(self.send(self.alice, "/people/alice/remove/"), 409)
        self.assert_is(self.send(self.alice, "/people/alice/role/", {"role": "viewer"}), 409)

    def test_removing_asks_first(self) -> None:
        self.assertIn("Remove bob from the team?", self.assert_is(self.page(self.alice, "/people/bob/remove/"), 200))
        self.assertTrue(Membership.objects.filter(user=self.bob.user).exists())
        self.assert_is(self.send(self.alice, "/people/bob/remove/"), 302)
        self.assertFalse(Membership.objects.filter(user=self.bob.user).exists())
        self.assertTrue(User.objects.filter(username="bob").exists())

    def test_who_is_removed_finds_no_team_any_more(self) -> None:
        self.client.force_login(self.bob.user)
        self.assertEqual(self.client.get("/t/tavern/formats/").status_code, 200)
        Membership.objects.get(user=self.bob.user).delete()
        self.assertEqual(self.client.get("/t/tavern/formats/").status_code, 404)

    def test_an_account_is_made_with_a_password(self) -> None:
        form = {"username": "erin", "password": LANTERN, "role": "editor"}
        self.assert_is(self.send(self.alice, "/people/add/", form), 302)
        self.assertEqual(Membership.objects.get(user__username="erin").role, "editor")

    def test_a_bad_password_is_refused_and_the_name_kept(self) -> None:
        form = {"username": "er<in", "password": "short", "role": "editor"}
        text = self.assert_is(self.send(self.alice, "/people/add/", form), 422)
        self.assertIn('value="er&lt;in"', text)
        self.assertFalse(User.objects.filter(username="er<in").exists())

    def test_a_taken_name_is_a_conflict(self) -> None:
        form = {"username": "charlie", "password": LANTERN, "role": "viewer"}
        self.assert_is(self.send(self.alice, "/people/add/", form), 409)

    def test_an_administrator_makes_no_owner(self) -> None:
        dora = self._admin("dora")
        self.assertNotIn('value="owner"', self.assert_is(self.page(dora, "/people/"), 200))
        self.assert_is(self.send(dora, "/people/bob/role/", {"role": "owner"}), 403)
        self.assert_is(self.send(dora, "/people/invite/", {"role": "owner"}), 403)

    def _admin(self, name: str) -> Person:
        person = Person(name, self.team, "editor")
        Membership.objects.filter(user=person.user).update(role="admin")
        return person


class InvitationPageTests(PageCase):
    def link(self, **form: str) -> str:
        text = self.assert_is(self.send(self.alice, "/people/invite/", {"role": "editor", **form}), 201)
        found = re.search(r'id="link">http://testserver(/invitation/[\w-]+/)<', text)
        assert found is not None
        return found[1]

    def test_the_link_is_shown_once_and_makes_an_account_that_is_logged_in(self) -> None:
        link = self.link(note="for Erin")
        page = self.assert_is(self.page(self.alice, "/people/"), 200)
        self.assertIn("for Erin", page)
        self.assertNotIn(link, page)
        self.client.logout()
        form = {"username": "erin", "password1": LANTERN, "password2": LANTERN}
        self.assert_is(self.client.post(link, form), 302)
        self.assertEqual(Membership.objects.get(user__username="erin").role, "editor")
        self.assert_is(self.client.get("/t/tavern/formats/"), 200)
        self.assert_is(self.client.get(link), 404)

    def test_a_link_taken_back_is_gone(self) -> None:
        link = self.link()
        invitation = Invitation.objects.get(team=self.team)
        self.assert_is(self.send(self.alice, f"/people/invitations/{invitation.pk}/revoke/"), 302)
        self.client.logout()
        self.assert_is(self.client.get(link), 404)
        form = {"username": "erin", "password1": LANTERN, "password2": LANTERN}
        self.assert_is(self.client.post(link, form), 404)
        self.assertFalse(User.objects.filter(username="erin").exists())
        self.assert_is(self.send(self.alice, f"/people/invitations/{invitation.pk}/revoke/"), 404)

    def test_the_log_does_not_hold_the_link(self) -> None:
        link = self.link()
        with self.assertLogs("neotavern.request", "INFO") as logs:
            self.client.get(link)
        self.assertEqual(logs.records[-1].fields["path"], "/invitation/…/")  # type: ignore[attr-defined]

    def test_without_a_mail_server_no_address_is_asked_for(self) -> None:
        self.assertNotIn('name="email"', self.assert_is(self.page(self.alice, "/people/"), 200))

    @override_settings(MAIL_CONFIGURED=True)
    def test_with_one_the_link_is_mailed(self) -> None:
        link = self.link(email="erin@example.org")
        self.assertEqual([message.to for message in mail.outbox], [["erin@example.org"]])
        self.assertIn(link, mail.outbox[0].body)


class KeyPageTests(PageCase):
    def test_a_key_is_shown_once_with_a_curl_that_fits(self) -> None:
        text = self.assert_is(self.send(self.alice, "/keys/", {"name": "front end", "scopes": ["render"]}), 201)
        found = re.search(r'id="key">(nt_[\w-]+)<', text)
        assert found is not None
        self.assertIn(
            f"curl http://testserver/api/v1/render \\\n  -H &quot;Authorization: Bearer {found[1]}".replace(
                "&quot;", '"'
            ),
            text,
        )
        self.assertEqual(selectors.key_actor(found[1]).scopes, frozenset({"render"}))  # type: ignore[union-attr]
        self.assertNotIn(found[1], self.assert_is(self.page(self.alice, "/keys/"), 200))

    def test_faults_keep_what_was_typed(self) -> None:
        for form in ({"name": "x"}, {"name": "", "scopes": ["read"]}, {"name": "x", "scopes": ["read", "fly"]}):
            with self.subTest(form=form):
                self.assert_is(self.send(self.alice, "/keys/", form), 422)
        text = self.assert_is(self.send(self.alice, "/keys/", {"name": "<i>", "scopes": "read", "expires": "x"}), 422)
        self.assertIn('value="&lt;i&gt;"', text)
        self.assertIn("Write the day as", text)

    def test_the_last_day_still_counts(self) -> None:
        day = (timezone.now() + timedelta(days=3)).date()
        self.send(self.alice, "/keys/", {"name": "short", "scopes": ["read"], "expires": day.isoformat()})
        ends = ApiKey.objects.get(name="short").expires_at
        assert ends is not None
        self.assertEqual(ends.date(), day + timedelta(days=1))

    def test_revoking_asks_first_and_keeps_the_record(self) -> None:
        made = keys.make_key(actor=self.alice.actor, name="front end", scopes=["read"])
        self.assertIn(
            "Revoke the key front end?", self.assert_is(self.page(self.alice, f"/keys/{made.id}/revoke/"), 200)
        )
        self.assertIsNotNone(selectors.key_actor(made.key))
        self.assert_is(self.send(self.alice, f"/keys/{made.id}/revoke/"), 302)
        self.assertIsNone(selectors.key_actor(made.key))
        text = self.assert_is(self.page(self.alice, "/keys/"), 200)
        self.assertIn("front end", text)
        self.assertIn("revoked</span>", text)

    def test_a_page_with_secrets_is_never_cached(self) -> None:
        answer = self.send(self.alice, "/keys/", {"name": "one", "scopes": ["read"]})
        self.assertIn("no-store", answer["Cache-Control"])


class TrailPageTests(PageCase):
    def setUp(self) -> None:
        super().setUp()
        self.make()
        keys.make_key(actor=self.alice.actor, name="one", scopes=["read"])

    def actions(self, query: str) -> list[str]:
        text = self.assert_is(self.page(self.alice, f"/audit/{query}"), 200)
        return re.findall(r"<td><code>([\w.]+)</code>", text)

    def test_filters(self) -> None:
        self.assertEqual(self.actions("?kind=instruct-format"), ["item.create"])
        self.assertEqual(self.actions("?slug=house"), ["item.create"])
        self.assertEqual(self.actions("?action=key.make&name=alice"), ["key.make"])
        self.assertEqual(self.actions("?name=nobody"), [])
        self.assertEqual(self.actions("?cursor=x"), self.actions(""))

    def test_htmx_gets_the_rows_alone(self) -> None:
        text = self.assert_is(self.page(self.alice, "/audit/", headers={"HX-Request": "true"}), 200)
        self.assertNotIn("<html", text)

    def test_older_ones_are_one_click_away_with_the_filter_kept(self) -> None:
        for number in range(51):
            keys.make_key(actor=self.alice.actor, name=f"k{number}", scopes=["read"])
        first = self.assert_is(self.page(self.alice, "/audit/?action=key.make&name=alice"), 200)
        following = re.search(r'href="\?([^"]*cursor=\d+)"', first)
        assert following is not None
        self.assertEqual(self.actions("?" + following[1].replace("&amp;", "&")), ["key.make", "key.make"])

    def test_before_and_after_are_shown(self) -> None:
        self.send(self.alice, "/team/", {"name": "Tavern & Inn", "labels": "production", "settings_by": "admin"})
        text = self.assert_is(self.page(self.alice, "/audit/?action=team.change"), 200)
        self.assertIn("Tavern &amp; Inn", text)
        self.assertIn("protectedLabels", text)

    def test_the_export_has_the_same_entries_as_json(self) -> None:
        answer = self.page(self.alice, "/audit/export/?kind=instruct-format")
        lines = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]  # type: ignore[attr-defined]
        self.assertEqual(
            [(line["action"], line["actor"], line["slug"]) for line in lines], [("item.create", "alice", "house")]
        )
        self.assertIn("attachment", answer["Content-Disposition"])

    def test_it_shows_nothing_of_another_team(self) -> None:
        keys.make_key(actor=self.charlie.actor, name="secret", scopes=["read"])
        entry = AuditEntry.objects.filter(team_id=self.other_team.pk).latest("id")
        text = self.assert_is(self.page(self.alice, "/audit/"), 200)
        self.assertNotIn(entry.item_slug, text)


class TeamPageTests(PageCase):
    def test_name_and_rules_are_stored(self) -> None:
        form = {"name": "The Tavern", "labels": "production\nstaging", "settings_by": "admin"}
        self.assert_is(self.send(self.alice, "/team/", form), 302)
        team = Team.objects.get(slug="tavern")
        self.assertEqual(
            (team.name, json.loads(team.policy)),
            (
                "The Tavern",
                {
                    "protectedLabels": ["production", "staging"],
                    "settingsBy": "admin",
                    "contextTemplatesFor": "everyone",
                },
            ),
        )

    def test_faults_keep_what_was_typed(self) -> None:
        form = {"name": "Tavern", "labels": "not a label!", "settings_by": "editor"}
        self.assertIn("not a label!", self.assert_is(self.send(self.alice, "/team/", form), 422))
        self.assert_is(self.send(self.alice, "/team/", form | {"labels": "", "name": "…"}), 422)

    def test_a_new_team_belongs_to_who_made_it_and_to_nobody_else(self) -> None:
        self.client.force_login(self.bob.user)
        answer = self.client.post("/account/teams/new/", {"name": "Bob’s Boat"})
        self.assertEqual((answer.status_code, answer["Location"]), (302, "/t/bobs-boat/people/"))
        self.assertEqual(
            list(Membership.objects.filter(team__slug="bobs-boat").values_list("user__username", "role")),
            [("bob", "owner")],
        )
        self.client.force_login(self.alice.user)
        self.assert_is(self.client.get("/t/bobs-boat/formats/"), 404)

    def test_a_taken_address_is_not_told(self) -> None:
        self.client.force_login(self.bob.user)
        answer = self.client.post("/account/teams/new/", {"name": "Harbour"})
        self.assertEqual(answer.status_code, 302)
        self.assertRegex(answer["Location"], r"^/t/harbour-[0-9a-f]{6}/people/$")

    def test_a_name_needs_letters(self) -> None:
        self.client.force_login(self.bob.user)
        self.assert_is(self.client.post("/account/teams/new/", {"name": " … "}), 422)

    def test_a_stranger_makes_none(self) -> None:
        self.assert_to_login(self.client.post("/account/teams/new/", {"name": "Mine"}))
