"""GET and PATCH of /settings and /settings/me."""

from __future__ import annotations

from typing import Any

from django.test import Client

from formats.selectors import effective_document
from formats.services.builtins import load_builtins
from neotavern.accounts.models import AuditEntry
from tests.formats.api.test_formats import FORMATS, HOUSE, FormatTestCase, red_when
from tests.library.samples import instruct_format

SETTINGS = "/api/v1/settings"
DEFAULTS: dict[str, Any] = {
    "instructFormat": None,
    "contextTemplate": None,
    "promptConfig": None,
    "preset": None,
    "serializeAsText": None,
    "variables": {},
    "infill": None,
    "contextStrategy": "truncate",
    "maxContextTokens": None,
    "reserveForReply": None,
    "contextCut": None,
}


class TeamSettingsTests(FormatTestCase):
    def change(self, **changes: Any) -> Any:
        return self.patch(self.alice, SETTINGS, changes)

    def test_a_new_team_has_the_defaults(self) -> None:
        answer = self.get(self.bob, SETTINGS)
        self.assertEqual(
            answer.json(),
            DEFAULTS
            | {"revision": 0, "etag": answer["ETag"], "updatedAt": None, "updatedBy": None, "document": DEFAULTS},
        )

    def test_a_change_keeps_the_other_fields(self) -> None:
        self.change(instructFormat="house", variables={"place": "the café"})
        answer = self.change(serializeAsText=False)
        wanted = DEFAULTS | {"instructFormat": "house", "variables": {"place": "the café"}, "serializeAsText": False}
        self.assertEqual((answer.status_code, answer.json()["document"]), (200, wanted))
        self.assertEqual({key: answer.json()[key] for key in DEFAULTS}, wanted)
        self.assertEqual((answer.json()["revision"], answer.json()["updatedBy"]), (2, "alice"))
        self.assertEqual(self.get(self.bob, SETTINGS).json(), answer.json())

    def test_an_equal_change_and_no_change_make_no_revision(self) -> None:
        self.assertEqual(self.change().json()["revision"], 0)
        self.change(instructFormat="house")
        self.assertEqual(self.change(instructFormat="house").json()["revision"], 1)
        self.assertEqual(self.change().json()["revision"], 1)

    def test_both_spellings(self) -> None:
        self.assertEqual(self.change(serialize_as_text=True).json()["serializeAsText"], True)
        self.assert_error(self.change(serialize_as_text=True, serializeAsText=True), 422, "VALIDATION")

    def test_a_format_may_be_built_in_labelled_or_numbered(self) -> None:
        load_builtins()
        self.put(self.alice, f"{HOUSE}/labels/production", {"revision": 1})
        for name in ("chatml", "house@production", "house@1", "house@latest"):
            self.assertEqual(self.change(instructFormat=name).json()["instructFormat"], name)

    def test_a_format_that_is_not_there(self) -> None:
        self.post(self.charlie, FORMATS, {"document": instruct_format("theirs")})
        for name in ("mouse", "theirs", "house@staging", "house@2", "house@0", "", "a b", "\\0", "house@x@y"):
            error = self.assert_error(self.change(instructFormat=name), 422, "VALIDATION")
            self.assertEqual(error["details"][0]["path"], "instructFormat", name)
        self.assertEqual(self.get(self.bob, SETTINGS).json()["revision"], 0)

    def test_a_red_or_archived_format_can_not_be_active(self) -> None:
        with red_when("BAD"):
            self.post(self.alice, FORMATS, {"document": instruct_format("odd", "BAD")})
        self.post(self.alice, FORMATS, {"document": instruct_format("gone")})
        self.delete(self.alice, f"{FORMATS}/gone")
        for name in ("odd", "odd@1", "gone"):
            error = self.assert_error(
                self.change(instructFormat=name), 422, "VALIDATION", {"slug": name[:4].strip("@")}
            )
            self.assertEqual(error["details"][0]["path"], "instructFormat")

    def test_an_inline_document_is_refused(self) -> None:
        error = self.assert_error(self.change(instructFormat=instruct_format()), 422, "VALIDATION")
        self.assertEqual(error["details"][0]["path"], "instructFormat")

    def test_values_out_of_bounds_are_located(self) -> None:
        for changes, path in [
            ({"preset": "house"}, "preset"),
            ({"preset": {}}, "preset"),
            ({"contextTemplate": "x"}, "contextTemplate"),
            ({"promptConfig": {}}, "promptConfig"),
            ({"serializeAsText": "yes"}, "serializeAsText"),
            ({"infill": "magic"}, "infill"),
            ({"contextStrategy": None}, "contextStrategy"),
            ({"maxContextTokens": 0}, "maxContextTokens"),
            ({"reserveForReply": -1}, "reserveForReply"),
            ({"reserveForReply": 1.5}, "reserveForReply"),
            ({"variables": {"a b": "x"}}, "variables"),
            ({"variables": {"a:b": "x"}}, "variables"),
            ({"variables": {"{a}": "x"}}, "variables"),
            ({"variables": {"1a": "x"}}, "variables"),
            ({"variables": {"a": "x" * 2049}}, "variables"),
            ({"variables": {f"v{n}": "" for n in range(65)}}, "variables"),
            ({"variables": {"a": 1}}, "variables.a"),
            ({"surprise": 1}, "surprise"),
        ]:
            error = self.assert_error(self.change(**changes), 422, "VALIDATION")
            self.assertEqual(error["details"][0]["path"], path, error)

    def test_variables_have_names_of_any_script(self) -> None:
        variables = {"Straße": "a", "место": "b", "user.name-2": "c", "_x": "d", "名": "e"}
        self.assertEqual(self.change(variables=variables).json()["variables"], variables)

    def test_variables_at_the_limits(self) -> None:
        variables = {f"v{n}": "x" * 2048 for n in range(64)}
        self.assertEqual(self.change(variables=variables).json()["variables"], variables)

    def test_bases_are_optional_and_kept(self) -> None:
        first = self.get(self.bob, SETTINGS)["ETag"]
        self.assert_error(self.change(infill="auto", baseRevision=1), 409, "CONFLICT", {"currentRevision": 0})
        self.assertEqual(self.change(infill="auto", baseRevision=0).json()["revision"], 1)
        self.assert_error(self.change(infill="vector", baseRevision=0), 409, "CONFLICT", {"currentRevision": 1})
        stale = self.patch(self.alice, SETTINGS, {"infill": "vector"}, **{"If-Match": first})
        self.assert_error(stale, 412, "PRECONDITION_FAILED", {"currentRevision": 1})
        tag = self.get(self.bob, SETTINGS)["ETag"]
        known = self.get(self.bob, SETTINGS, **{"If-None-Match": tag})
        self.assertEqual((known.status_code, known.content), (304, b""))
        self.assertEqual(self.patch(self.alice, SETTINGS, {"infill": "vector"}, **{"If-Match": tag}).status_code, 200)

    def test_the_audit_has_before_and_after(self) -> None:
        self.change(infill="auto")
        self.change(infill="vector", note="try")
        entry = AuditEntry.objects.filter(action="settings.change").order_by("-id")[0]
        self.assertEqual(
            (entry.item_slug, entry.from_number, entry.to_number, entry.before, entry.after),
            ("team", 1, 2, '{"infill":"auto"}', '{"infill":"vector"}'),
        )

    def test_who_may(self) -> None:
        self.assert_error(self.patch(self.bob, SETTINGS, {}), 403, "FORBIDDEN")
        self.assert_error(self.patch(None, SETTINGS, {}), 401, "UNAUTHENTICATED")
        self.assert_error(self.get(None, SETTINGS), 401, "UNAUTHENTICATED")
        self.change(infill="auto")
        self.assertEqual(self.get(self.charlie, SETTINGS).json()["document"], DEFAULTS)


class PersonalSettingsTests(FormatTestCase):
    def browser(self, person: Any) -> Client:
        client = Client()
        client.force_login(person.user)
        return client

    def test_a_key_never_sees_them(self) -> None:
        self.assert_error(self.get(self.alice, f"{SETTINGS}/me"), 403, "FORBIDDEN")
        self.assert_error(self.patch(self.alice, f"{SETTINGS}/me", {"infill": "auto"}), 403, "FORBIDDEN")

    def test_a_viewer_sets_her_own_and_nobody_else_has_them(self) -> None:
        bob, alice = self.browser(self.bob), self.browser(self.alice)
        self.patch(self.alice, SETTINGS, {"infill": "auto", "serializeAsText": True})
        answer = bob.patch(f"{SETTINGS}/me", {"instructFormat": "house"}, content_type="application/json")
        self.assertEqual((answer.status_code, answer.json()["document"]), (200, {"instructFormat": "house"}))
        self.assertEqual(bob.get(f"{SETTINGS}/me").json(), answer.json())
        self.assertNotIn("infill", answer.json())
        self.assertEqual(alice.get(f"{SETTINGS}/me").json()["document"], {})
        self.assertEqual(self.get(self.bob, SETTINGS).json()["instructFormat"], None)
        entry = AuditEntry.objects.filter(action="settings.change").order_by("-id")[0]
        self.assertEqual((entry.actor_name, entry.before, entry.after), ("bob", "", ""))
        effective = DEFAULTS | {"instructFormat": "house", "infill": "auto", "serializeAsText": True}
        self.assertEqual(effective_document(self.bob.actor), effective)
        self.assertEqual(effective_document(self.alice.actor), effective | {"instructFormat": None})

    def test_they_count_as_use(self) -> None:
        bob = self.browser(self.bob)
        bob.patch(f"{SETTINGS}/me", {"instructFormat": "house"}, content_type="application/json")
        used = {"usedBy": [{"kind": "app-settings", "slug": "user", "path": "instructFormat"}]}
        self.assert_error(self.delete(self.alice, HOUSE), 409, "CONFLICT", used)
