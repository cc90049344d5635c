"""/team, /team/members, /keys and /audit: for administrators, of their own team."""

from __future__ import annotations

from datetime import timedelta

import orjson
from django.utils import timezone

from neotavern.accounts.models import Invitation, Membership, User
from tests.teams import Person, TeamTestCase

API = "/api/v1"


class MemberTests(TeamTestCase):
    def test_the_members_by_name(self) -> None:
        answer = self.get(self.alice, f"{API}/team/members")
        assert answer.json() == {  # type: ignore[attr-defined]
            "items": [{"username": "alice", "role": "owner"}, {"username": "bob", "role": "viewer"}]
        }

    def test_the_team(self) -> None:
        assert self.get(self.alice, f"{API}/team").json() == {  # type: ignore[attr-defined]
            "slug": "tavern",
            "name": "Tavern",
            "policy": {"protectedLabels": [], "settingsBy": "editor", "contextTemplatesFor": "everyone"},
        }

    def test_the_team_is_not_sent_twice(self) -> None:
        tag = self.get(self.alice, f"{API}/team").headers["ETag"]
        again = self.get(self.alice, f"{API}/team", **{"If-None-Match": tag})
        assert (again.status_code, again.headers["ETag"], again.content) == (304, tag, b"")
        self.patch(self.alice, f"{API}/team", {"name": "Inn"})
        assert self.get(self.alice, f"{API}/team", **{"If-None-Match": tag}).status_code == 200

    def test_every_operation_with_a_body_declares_415(self) -> None:
        paths = self.get(self.alice, f"{API}/openapi.json").json()["paths"]  # type: ignore[attr-defined]
        operations = {f"{verb} {path}": said for path, verbs in paths.items() for verb, said in verbs.items()}
        with_body = {name: said["responses"] for name, said in operations.items() if "requestBody" in said}
        assert [name for name, responses in with_body.items() if "415" not in responses] == []

    def test_a_viewer_sees_none_of_it(self) -> None:
        for method, path, body in [
            ("get", "team", None),
            ("get", "team/members", None),
            ("post", "team/members", {"role": "viewer"}),
            ("patch", "team/members/alice", {"role": "viewer"}),
            ("delete", "team/members/alice", None),
            ("get", "keys", None),
            ("post", "keys", {"name": "k", "scopes": ["read"]}),
            ("delete", "keys/1", None),
            ("get", "audit", None),
        ]:
            self.assert_error(self.call(method, self.bob, f"{API}/{path}", body), 403, "FORBIDDEN", {"needs": "admin"})

    def test_a_new_user_can_log_in(self) -> None:
        body = {"username": "dora", "role": "editor", "password": "a long enough one"}
        answer = self.post(self.alice, f"{API}/team/members", body)
        assert (answer.status_code, answer.json()) == (201, {"username": "dora", "role": "editor"})  # type: ignore[attr-defined]
        assert self.client.login(username="dora", password="a long enough one")

    def test_a_weak_password_is_located(self) -> None:
        body = {"username": "dora", "role": "editor", "password": "12345"}
        error = self.assert_error(self.post(self.alice, f"{API}/team/members", body), 422, "VALIDATION")
        assert error["details"][0]["path"] == "password"
        assert not User.objects.filter(username="dora").exists()

    def test_a_taken_name_is_a_conflict(self) -> None:
        body = {"username": "charlie", "role": "editor", "password": "a long enough one"}
        self.assert_error(self.post(self.alice, f"{API}/team/members", body), 409, "CONFLICT", {"username": "charlie"})

    def test_an_unknown_role_is_located(self) -> None:
        error = self.assert_error(self.post(self.alice, f"{API}/team/members", {"role": "king"}), 422, "VALIDATION")
        assert error["details"][0]["path"] == "role"

    def test_a_role_is_changed(self) -> None:
        answer = self.patch(self.alice, f"{API}/team/members/bob", {"role": "editor"})
        assert answer.json() == {"username": "bob", "role": "editor"}  # type: ignore[attr-defined]
        assert Membership.objects.get(user__username="bob").role == "editor"

    def test_the_last_owner_stays(self) -> None:
        for method, body in (("patch", {"role": "viewer"}), ("delete", None)):
            answer = self.call(method, self.alice, f"{API}/team/members/alice", body)
            self.assert_error(answer, 409, "CONFLICT", {"usedBy": ["team"]})

    def test_an_administrator_neither_makes_nor_changes_owners(self) -> None:
        admin = Person("amy", self.team, "owner")
        Membership.objects.filter(user=admin.user).update(role="admin")
        self.client.force_login(admin.user)
        for method, path, body in [
            ("post", "team/members", {"role": "owner"}),
            ("patch", "team/members/alice", {"role": "viewer"}),
            ("delete", "team/members/alice", None),
        ]:
            self.assert_error(self.call(method, None, f"{API}/{path}", body), 403, "FORBIDDEN")

    def test_a_member_of_another_team_does_not_exist(self) -> None:
        for method, body in (("patch", {"role": "viewer"}), ("delete", None)):
            answer = self.call(method, self.alice, f"{API}/team/members/charlie", body)
            self.assert_error(answer, 404, "NOT_FOUND")

    def test_a_member_is_taken_out_and_keeps_the_account(self) -> None:
        assert self.delete(self.alice, f"{API}/team/members/bob").status_code == 204
        assert User.objects.filter(username="bob").exists()
        assert not Membership.objects.filter(user__username="bob").exists()


class InvitationTests(TeamTestCase):
    def link(self, role: str = "editor") -> str:
        url = self.post(self.alice, f"{API}/team/members", {"role": role}).json()["inviteUrl"]  # type: ignore[attr-defined]
        return str(url).removeprefix("http://testserver")

    def test_a_stranger_makes_an_account_and_is_in(self) -> None:
        link = self.link()
        assert self.client.get(link).status_code == 200
        form = {"username": "eve", "password1": "a long enough one", "password2": "a long enough one"}
        answer = self.client.post(link, form)
        assert (answer.status_code, answer["Location"]) == (302, "/t/tavern/formats/")
        assert Membership.objects.get(user__username="eve").role == "editor"

    def test_a_wrong_form_keeps_the_name_and_the_link(self) -> None:
        link = self.link()
        answer = self.client.post(link, {"username": "eve", "password1": "a long enough one", "password2": "other"})
        assert answer.status_code == 422
        assert 'value="eve"' in answer.content.decode()
        assert self.client.get(link).status_code == 200

    def test_who_is_logged_in_joins_with_one_click(self) -> None:
        self.client.force_login(self.charlie.user)
        assert self.client.post(self.link("viewer")).status_code == 302
        assert Membership.objects.get(user=self.charlie.user, team=self.team).role == "viewer"

    def test_the_link_works_once(self) -> None:
        link = self.link()
        self.client.force_login(self.charlie.user)
        self.client.post(link)
        assert self.client.get(link).status_code == 404

    def test_an_expired_link_is_404(self) -> None:
        link = self.link()
        Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        assert self.client.get(link).status_code == 404

    def test_a_member_keeps_his_role(self) -> None:
        self.client.force_login(self.bob.user)
        self.client.post(self.link("admin"))
        assert Membership.objects.get(user=self.bob.user, team=self.team).role == "viewer"


class KeyTests(TeamTestCase):
    def test_a_key_is_made_used_listed_and_ended(self) -> None:
        made = self.post(self.alice, f"{API}/keys", {"name": "gateway", "scopes": ["read"]})
        assert made.status_code == 201
        body = made.json()  # type: ignore[attr-defined]
        assert sorted(body) == ["id", "key", "prefix", "scopes"]
        use = {"Authorization": f"Bearer {body['key']}"}
        assert self.client.get(f"{API}/formats", headers=use).status_code == 200
        listed = self.get(self.alice, f"{API}/keys").json()["items"][0]  # type: ignore[attr-defined]
        assert (listed["name"], listed["prefix"], listed["revokedAt"]) == ("gateway", body["prefix"], None)
        assert body["key"] not in orjson.dumps(listed).decode()
        assert self.delete(self.alice, f"{API}/keys/{body['id']}").status_code == 204
        self.assert_error(self.client.get(f"{API}/formats", headers=use), 401, "UNAUTHENTICATED")

    def test_another_teams_keys_do_not_exist(self) -> None:
        made = self.post(self.alice, f"{API}/keys", {"name": "gateway", "scopes": ["read"]}).json()  # type: ignore[attr-defined]
        self.assert_error(self.delete(self.charlie, f"{API}/keys/{made['id']}"), 404, "NOT_FOUND")
        names = [row["name"] for row in self.get(self.charlie, f"{API}/keys").json()["items"]]  # type: ignore[attr-defined]
        assert names == ["charlie"]

    def test_an_expiry_without_a_zone_is_located(self) -> None:
        body = {"name": "k", "scopes": ["read"], "expiresAt": "2127-01-01T00:00:00"}
        error = self.assert_error(self.post(self.alice, f"{API}/keys", body), 422, "VALIDATION")
        assert error["details"][0]["path"] == "expiresAt"


class AuditTests(TeamTestCase):
    def test_newest_first_and_paged(self) -> None:
        for name in ("one", "two"):
            self.post(self.alice, f"{API}/keys", {"name": name, "scopes": ["read"]})
        first = self.get(self.alice, f"{API}/audit?limit=1").json()  # type: ignore[attr-defined]
        second = self.get(self.alice, f"{API}/audit?limit=1&cursor={first['nextCursor']}").json()  # type: ignore[attr-defined]
        entries = [first["items"][0], second["items"][0]]
        assert [(entry["action"], entry["actor"], entry["kind"]) for entry in entries] == [
            ("key.make", "alice", "key")
        ] * 2
        assert entries[0]["id"] > entries[1]["id"]

    def test_all_of_it_as_lines(self) -> None:
        answer = self.get(self.alice, f"{API}/audit", Accept="application/x-ndjson")
        lines = [orjson.loads(line) for line in b"".join(answer.streaming_content).splitlines()]  # type: ignore[attr-defined]
        assert [line["action"] for line in lines] == ["key.make", "key.make"]

    def test_a_filter_narrows(self) -> None:
        assert self.get(self.alice, f"{API}/audit?action=none").json() == {"items": [], "nextCursor": None}  # type: ignore[attr-defined]

    def test_another_teams_trail_is_not_in_it(self) -> None:
        answer = self.get(self.charlie, f"{API}/audit").json()  # type: ignore[attr-defined]
        assert [entry["actor"] for entry in answer["items"]] == ["command"]
