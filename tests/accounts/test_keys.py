"""API keys: shown once, found by digest, ended at once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from neotavern.accounts import selectors
from neotavern.accounts.models import ApiKey, AuditEntry
from neotavern.accounts.services.keys import digest, make_key, revoke_key
from neotavern.ground.errors import AppError
from tests.teams import TeamTestCase


class KeyTests(TeamTestCase):
    def test_only_the_digest_is_stored(self) -> None:
        made = make_key(actor=self.alice.actor, name="gateway", scopes=["render"])
        row = ApiKey.objects.get(pk=made.id)
        assert (row.digest, row.prefix, row.scopes, row.made_by_name) == (
            digest(made.key),
            made.key[:9],
            "render",
            "alice",
        )
        assert made.key not in {str(value) for value in row.__dict__.values()}

    def test_the_key_finds_its_team_and_scopes(self) -> None:
        made = make_key(actor=self.alice.actor, name="gateway", scopes=["write", "read"])
        actor = selectors.key_actor(made.key)
        assert actor is not None
        assert (actor.team_slug, actor.scopes, actor.via) == ("tavern", {"read", "write"}, f"key:{made.prefix}")

    def test_a_revoked_key_is_unknown_and_keeps_its_record(self) -> None:
        made = make_key(actor=self.alice.actor, name="gateway", scopes=["render"])
        revoke_key(actor=self.alice.actor, key_id=made.id)
        assert selectors.key_actor(made.key) is None
        assert ApiKey.objects.filter(pk=made.id).exists()

    def test_an_expired_key_is_unknown(self) -> None:
        actor = self.alice.actor
        made = make_key(actor=actor, name="g", scopes=["render"], expires_at=actor.now + timedelta(hours=1))
        assert selectors.key_actor(made.key) is not None
        assert selectors.key_actor(made.key, now=actor.now + timedelta(hours=1)) is None

    def test_an_expiry_in_the_past_is_refused(self) -> None:
        actor = self.alice.actor
        with pytest.raises(AppError) as caught:
            make_key(actor=actor, name="g", scopes=["render"], expires_at=actor.now)
        assert caught.value.details[0].path == "expiresAt"

    def test_unknown_scopes_are_refused(self) -> None:
        for scopes in ([], ["render", "root"]):
            with pytest.raises(AppError) as caught:
                make_key(actor=self.alice.actor, name="g", scopes=scopes)
            assert caught.value.details[0].path == "scopes"

    def test_a_viewer_makes_none(self) -> None:
        with pytest.raises(AppError) as caught:
            make_key(actor=self.bob.actor, name="g", scopes=["read"])
        assert (caught.value.status, caught.value.params) == (403, {"needs": "admin"})

    def test_another_teams_key_does_not_exist(self) -> None:
        made = make_key(actor=self.alice.actor, name="g", scopes=["read"])
        with pytest.raises(AppError) as caught:
            revoke_key(actor=self.charlie.actor, key_id=made.id)
        assert caught.value.status == 404

    def test_the_trail_says_who_made_and_ended_it(self) -> None:
        made = make_key(actor=self.alice.actor, name="g", scopes=["read"])
        revoke_key(actor=self.alice.actor, key_id=made.id)
        rows = AuditEntry.objects.filter(item_slug=made.prefix).order_by("id")
        assert [(row.action, row.actor_name, row.via) for row in rows] == [
            ("key.make", "alice", "browser"),
            ("key.revoke", "alice", "browser"),
        ]
