"""Revisions, comparison and restore of settings, the team's and a person's."""

from __future__ import annotations

from typing import Any

from django.test import Client

from neotavern.accounts.models import AuditEntry, Team
from tests.formats.api.test_formats import FormatTestCase
from tests.teams import Person

SETTINGS = "/api/v1/settings"
MINE = f"{SETTINGS}/me"


class TeamHistoryTests(FormatTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.patch(self.alice, SETTINGS, {"infill": "auto"})
        self.patch(self.alice, SETTINGS, {"infill": "vector", "instructFormat": "house", "note": "try"})

    def test_revisions_newest_first(self) -> None:
        items = self.get(self.bob, f"{SETTINGS}/revisions").json()["items"]
        self.assertEqual(
            [(item["revision"], item["note"], item["author"]) for item in items],
            [(2, "try", "alice"), (1, "", "alice")],
        )
        page = self.get(self.bob, f"{SETTINGS}/revisions?limit=1").json()
        rest = self.get(self.bob, f"{SETTINGS}/revisions?limit=1&cursor={page['nextCursor']}").json()
        self.assertEqual(([*page["items"], *rest["items"]], rest["nextCursor"]), (items, None))

    def test_two_are_compared(self) -> None:
        changes = self.get(self.bob, f"{SETTINGS}/diff?from=1&to=2").json()["changes"]
        self.assertEqual(
            [(one["path"], one["before"], one["after"]) for one in changes],
            [("instructFormat", None, "house"), ("infill", "auto", "vector")],
        )

    def test_restore_makes_a_revision_with_before_and_after(self) -> None:
        answer = self.post(self.alice, f"{SETTINGS}/revisions/1/restore", {"baseRevision": 2})
        self.assertEqual((answer.status_code, answer.json()["revision"], answer.json()["infill"]), (200, 3, "auto"))
        self.assertEqual(answer.json()["instructFormat"], None)
        self.assertEqual(answer["ETag"], self.get(self.bob, SETTINGS)["ETag"])
        entry = AuditEntry.objects.order_by("-id")[0]
        self.assertEqual((entry.action, entry.from_number, entry.to_number), ("settings.restore", 2, 3))
        self.assertEqual(
            (entry.before, entry.after), ('{"instructFormat":"house","infill":"vector"}', '{"infill":"auto"}')
        )

    def test_a_stale_base_and_an_unknown_revision(self) -> None:
        url = f"{SETTINGS}/revisions/1/restore"
        self.assert_error(self.post(self.alice, url, {"baseRevision": 1}), 409, "CONFLICT", {"currentRevision": 2})
        stale = self.post(self.alice, url, {}, **{"If-Match": '"old"'})
        self.assert_error(stale, 412, "PRECONDITION_FAILED", {"currentRevision": 2})
        self.assert_error(self.post(self.alice, f"{SETTINGS}/revisions/9/restore"), 404, "NOT_FOUND")

    def test_what_is_gone_can_not_come_back(self) -> None:
        self.patch(self.alice, SETTINGS, {"instructFormat": None})
        self.delete(self.alice, "/api/v1/formats/house")
        error = self.assert_error(self.post(self.alice, f"{SETTINGS}/revisions/2/restore"), 422, "VALIDATION")
        self.assertEqual(error["details"][0]["path"], "instructFormat")

    def test_a_field_is_taken_out_again(self) -> None:
        answer = self.patch(self.alice, SETTINGS, {"unset": ["infill"], "serializeAsText": True}).json()
        self.assertEqual((answer["infill"], answer["instructFormat"], answer["serializeAsText"]), (None, "house", True))
        for unset, more in ((["magic"], {}), (["infill"], {"infill": "auto"})):
            error = self.assert_error(self.patch(self.alice, SETTINGS, {"unset": unset, **more}), 422, "VALIDATION")
            self.assertEqual(error["details"][0]["path"], "unset")

    def test_who_may(self) -> None:
        restore = f"{SETTINGS}/revisions/1/restore"
        self.assert_error(self.post(self.bob, restore), 403, "FORBIDDEN")
        self.assert_error(self.post(self.charlie, restore), 404, "NOT_FOUND")
        self.assert_error(self.get(self.charlie, f"{SETTINGS}/diff"), 404, "NOT_FOUND")
        self.assertEqual(self.get(self.charlie, f"{SETTINGS}/revisions").json(), {"items": [], "nextCursor": None})
        for url in (f"{SETTINGS}/revisions", f"{SETTINGS}/diff"):
            self.assert_error(self.get(None, url), 401, "UNAUTHENTICATED")
        self.assert_error(self.post(None, restore), 401, "UNAUTHENTICATED")

    def test_a_team_may_leave_its_defaults_to_administrators(self) -> None:
        Team.objects.filter(pk=self.team.pk).update(policy='{"settingsBy":"admin"}')
        editor = Person("edith", self.team, "editor")
        for refused in (
            self.patch(editor, SETTINGS, {"infill": "auto"}),
            self.post(editor, f"{SETTINGS}/revisions/1/restore"),
        ):
            self.assert_error(refused, 403, "FORBIDDEN", {"needs": "admin"})
        self.assertEqual(self.patch(self.alice, SETTINGS, {"infill": "auto"}).status_code, 200)


class PersonalHistoryTests(FormatTestCase):
    def test_a_viewer_restores_her_own_and_a_key_sees_none(self) -> None:
        browser = Client()
        browser.force_login(self.bob.user)

        def send(method: str, url: str, body: Any) -> Any:
            return getattr(browser, method)(url, body, content_type="application/json").json()

        self.assertEqual(browser.get(f"{MINE}/revisions").json()["items"], [])
        send("patch", MINE, {"infill": "auto"})
        send("patch", MINE, {"instructFormat": "house"})
        self.assertEqual([one["revision"] for one in browser.get(f"{MINE}/revisions").json()["items"]], [2, 1])
        self.assertEqual(browser.get(f"{MINE}/diff").json()["changes"][0]["path"], "instructFormat")
        self.assertEqual(send("post", f"{MINE}/revisions/1/restore", {})["document"], {"infill": "auto"})
        self.assertEqual(send("patch", MINE, {"unset": ["infill"]})["document"], {})
        for answer in (
            self.get(self.bob, f"{MINE}/revisions"),
            self.get(self.bob, f"{MINE}/diff"),
            self.post(self.bob, f"{MINE}/revisions/1/restore"),
        ):
            self.assert_error(answer, 403, "FORBIDDEN")
        alice = Client()
        alice.force_login(self.alice.user)
        self.assertEqual(alice.get(f"{MINE}/revisions").json()["items"], [])
