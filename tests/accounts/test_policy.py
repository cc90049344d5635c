"""What a team decides: protected labels, who sets its defaults; and that the trail is only added to."""

from __future__ import annotations

from datetime import timedelta
from unittest import mock

import pytest
from django.db import DatabaseError
from django.utils import timezone

from neotavern.accounts import key_use, permissions, policy, selectors
from neotavern.accounts.models import ApiKey, AppendOnlyError, AuditEntry, Team
from neotavern.accounts.policy import Policy
from neotavern.accounts.services import keys, teams
from neotavern.ground.errors import AppError, ErrorCode
from tests.teams import Person, TeamTestCase

API = "/api/v1"


class PolicyTests(TeamTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.dora = Person("dora", self.team, "editor")

    def protect(self, *labels: str, settings_by: str = "editor") -> None:
        teams.change_team(actor=self.alice.actor, policy=Policy(frozenset(labels), settings_by))

    def test_at_first_editors_move_every_label(self) -> None:
        moves = [permissions.may_move_label(who.actor, "production") for who in (self.alice, self.dora, self.bob)]
        self.assertEqual(moves, [True, True, False])

    def test_a_protected_label_is_for_administrators(self) -> None:
        self.protect("production")
        moves = [permissions.may_move_label(who.actor, "production") for who in (self.alice, self.dora, self.bob)]
        self.assertEqual(moves, [True, False, False])
        self.assertTrue(permissions.may_move_label(self.dora.actor, "staging"))

    def test_the_refusal_names_the_label(self) -> None:
        self.protect("production")
        with pytest.raises(AppError) as caught:
            permissions.require_move_label(self.dora.actor, "production")
        self.assertEqual(
            (caught.value.code, caught.value.params), (ErrorCode.FORBIDDEN, {"needs": "admin", "label": "production"})
        )

    def test_a_key_that_writes_moves_no_protected_label(self) -> None:
        self.protect("production")
        actor = selectors.key_actor(self.dora.key)
        assert actor is not None
        self.assertFalse(permissions.may_move_label(actor, "production"))

    def test_a_policy_at_hand_saves_the_query(self) -> None:
        actor = self.dora.actor
        with self.assertNumQueries(0):
            self.assertFalse(permissions.may_move_label(actor, "x", Policy(frozenset({"x"}))))

    def test_who_sets_the_defaults(self) -> None:
        self.assertTrue(permissions.may_set_defaults(self.dora.actor))
        self.protect(settings_by="admin")
        allowed = [permissions.may_set_defaults(who.actor) for who in (self.alice, self.dora, self.bob)]
        self.assertEqual(allowed, [True, False, False])
        with pytest.raises(AppError):
            permissions.require_set_defaults(self.dora.actor)

    def test_another_teams_policy_changes_nothing_here(self) -> None:
        teams.change_team(actor=self.charlie.actor, policy=Policy(frozenset({"production"}), "admin"))
        self.assertTrue(permissions.may_move_label(self.dora.actor, "production"))

    def test_a_stored_text_that_is_not_ours_has_the_defaults(self) -> None:
        self.assertEqual(policy.parse('{"settingsBy": "everyone", "protectedLabels": [1]}'), Policy())
        self.assertEqual(policy.parse(""), Policy())


class TeamOperationTests(TeamTestCase):
    url = f"{API}/team"

    def test_a_part_of_the_policy_is_changed(self) -> None:
        answer = self.patch(self.alice, self.url, {"policy": {"protectedLabels": ["production"]}})
        expected = {
            "slug": "tavern",
            "name": "Tavern",
            "policy": {
                "protectedLabels": ["production"],
                "settingsBy": "editor",
                "contextTemplatesFor": "everyone",
            },
        }
        self.assertEqual((answer.status_code, answer.json()), (200, expected))  # type: ignore[attr-defined]
        answer = self.patch(self.alice, self.url, {"name": "Inn", "policy": {"settingsBy": "admin"}})
        expected = {"slug": "tavern", "name": "Inn", "policy": expected["policy"] | {"settingsBy": "admin"}}  # type: ignore[operator]
        self.assertEqual(answer.json(), expected)  # type: ignore[attr-defined]

    def test_the_change_is_in_the_trail_once(self) -> None:
        for _ in range(2):
            self.patch(self.alice, self.url, {"name": "Inn"})
        rows = AuditEntry.objects.filter(action="team.change").values_list("before", "after")
        self.assertEqual(list(rows), [('{"name": "Tavern"}', '{"name": "Inn"}')])

    def test_faults(self) -> None:
        for body in (
            {"policy": {"protectedLabels": ["Not one"]}},
            {"policy": {"settingsBy": "viewer"}},
            {"name": " "},
            {"slug": "inn"},
        ):
            with self.subTest(body=body):
                self.assert_error(self.patch(self.alice, self.url, body), 422, "VALIDATION")

    def test_bob_may_not_and_charlie_changes_his_own(self) -> None:
        self.assert_error(self.patch(self.bob, self.url, {"name": "Bob's"}), 403, "FORBIDDEN")
        self.assert_error(self.patch(None, self.url, {"name": "x"}), 401, "UNAUTHENTICATED")
        self.patch(self.charlie, self.url, {"name": "Charlie's"})
        self.assertEqual(Team.objects.get(slug="tavern").name, "Tavern")


class TrailTests(TeamTestCase):
    def test_entries_are_only_added(self) -> None:
        entry = AuditEntry.objects.filter(team_id=self.team.pk).latest("id")
        entry.action = "nothing"
        for change in (
            entry.save,
            entry.delete,
            AuditEntry.objects.all().delete,
            lambda: AuditEntry.objects.update(action="nothing"),
            lambda: AuditEntry.objects.bulk_update([entry], ["action"]),
        ):
            with pytest.raises(AppendOnlyError):
                change()
        self.assertNotEqual(AuditEntry.objects.get(pk=entry.pk).action, "nothing")

    def test_a_deleted_user_leaves_the_entries(self) -> None:
        before = AuditEntry.objects.count()
        self.bob.user.delete()
        self.assertEqual(AuditEntry.objects.count(), before)


class KeyUseTests(TeamTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.key = keys.make_key(actor=self.alice.actor, name="one", scopes=["read"])

    def used(self) -> object:
        return ApiKey.objects.get(pk=self.key.id).last_used_at

    def test_it_is_written_at_most_once_a_minute(self) -> None:
        start = timezone.now()
        for seconds, expected in ((0, 0), (59, 0), (60, 60), (61, 60)):
            selectors.key_actor(self.key.key, now=start + timedelta(seconds=seconds))
            self.assertEqual(self.used(), start + timedelta(seconds=expected))

    def test_a_failure_does_not_fail_the_request(self) -> None:
        with (
            mock.patch.object(key_use, "_write", side_effect=DatabaseError("locked")),
            self.assertLogs("neotavern.keys"),
        ):
            self.assertIsNotNone(selectors.key_actor(self.key.key))
        self.assertIsNone(self.used())

    def test_a_revoked_key_is_not_used(self) -> None:
        keys.revoke_key(actor=self.alice.actor, key_id=self.key.id)
        self.assertIsNone(selectors.key_actor(self.key.key))
        self.assertIsNone(self.used())
