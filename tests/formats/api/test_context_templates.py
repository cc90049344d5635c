"""Context templates in the library: everyone reads, editors change, administrators choose the team's, or keep all."""

from __future__ import annotations

from typing import Any

from formats.services.builtins import load_builtins
from neotavern.accounts.policy import Policy
from neotavern.accounts.services import teams
from tests.formats.context.templates import STORY
from tests.teams import Person, TeamTestCase

URL = "/api/v1/context-templates"
SETTINGS = "/api/v1/settings"


def document(slug: str = "ours", template: str = STORY, **more: Any) -> dict[str, Any]:
    """A template of the team."""
    return {"kind": "context-template", "version": 1, "id": slug, "name": slug.title(), "template": template, **more}


class ContextTemplateCase(TeamTestCase):
    """The built-ins, one template of the team, and an editor."""

    def setUp(self) -> None:
        super().setUp()
        load_builtins()
        self.erin = Person("erin", self.team, "editor")
        assert self.post(self.erin, URL, {"document": document()}).status_code == 201


class StoredTests(ContextTemplateCase):
    def test_the_document_is_kept_as_it_was_given(self) -> None:
        answer = self.get(self.bob, f"{URL}/ours").json()  # type: ignore[attr-defined]
        self.assertEqual(answer["document"], document())
        self.assertEqual((answer["kind"], answer["builtin"], answer["revision"]), ("context-template", False, 1))

    def test_the_list_has_the_built_ins_marked(self) -> None:
        items = self.get(self.bob, URL).json()["items"]  # type: ignore[attr-defined]
        marks = {item["slug"]: item["builtin"] for item in items}
        self.assertEqual(marks, {"ours": False, "story": True, "plain-chat": True})

    def test_built_ins_do_not_change_and_are_cloned(self) -> None:
        change = {"document": document("story"), "baseRevision": 1}
        self.assert_error(self.put(self.erin, f"{URL}/story", change), 403, "FORBIDDEN")
        self.assert_error(self.delete(self.erin, f"{URL}/story"), 403, "FORBIDDEN")
        made = self.post(self.erin, f"{URL}/story/clone", {"slug": "mine"})
        self.assertEqual((made.status_code, made.json()["document"]["id"]), (201, "mine"))  # type: ignore[attr-defined]

    def test_a_save_is_a_revision_that_comes_back(self) -> None:
        changed = document(template=STORY + "{{! more }}")
        saved = self.put(self.erin, f"{URL}/ours", {"document": changed, "baseRevision": 1}).json()  # type: ignore[attr-defined]
        self.assertEqual(saved["revision"], 2)
        self.post(self.erin, f"{URL}/ours/revisions/1/restore", {"baseRevision": 2})
        self.assertEqual(self.get(self.erin, f"{URL}/ours").json()["document"], document())  # type: ignore[attr-defined]

    def test_bob_reads_only_and_charlie_sees_nothing(self) -> None:
        self.assert_error(self.post(self.bob, URL, {"document": document("his")}), 403, "FORBIDDEN")
        self.assert_error(self.delete(self.bob, f"{URL}/ours"), 403, "FORBIDDEN")
        self.assert_error(self.get(self.charlie, f"{URL}/ours"), 404, "NOT_FOUND")
        self.assert_error(self.get(None, URL), 401, "UNAUTHENTICATED")

    def test_what_does_not_compile_is_refused_with_its_place(self) -> None:
        broken = document("broken", "{{#systemBlock}}\n{{#if x}}{{/systemBlock}}")
        error = self.assert_error(self.post(self.erin, URL, {"document": broken}), 422, "TEMPLATE_SYNTAX")
        detail = error["details"][0]
        self.assertEqual((detail["path"], detail["line"]), ("template", 2))

    def test_findings_say_what_a_save_would_lose(self) -> None:
        lint = {"document": document("x", "{{#systemBlock}}{{{worldLoer}}}{{/systemBlock}}")}
        answer = self.post(self.bob, f"{URL}/validate", lint).json()  # type: ignore[attr-defined]
        codes = {finding["code"] for finding in answer["findings"]}
        self.assertEqual((answer["valid"], answer["checks"]), (True, "red"))
        self.assertLessEqual({"UNKNOWN_VARIABLE", "MESSAGES_LOST", "SEED_MISSING"}, codes)

    def test_a_config_of_serene_pub_comes_in(self) -> None:
        given = {"id": 3, "isImmutable": False, "name": "Harbour", "template": STORY}
        item = self.post(self.erin, "/api/v1/import", given).json()["items"][0]  # type: ignore[attr-defined]
        self.assertEqual((item["action"], item["slug"], item["kind"]), ("created", "harbour", "context-template"))
        self.assertEqual([loss["path"] for loss in item["loss"]], ["id"])


class TeamDefaultTests(ContextTemplateCase):
    def test_administrators_set_it_and_editors_do_not(self) -> None:
        self.assert_error(self.patch(self.erin, SETTINGS, {"contextTemplate": "ours"}), 403, "FORBIDDEN")
        self.assertEqual(self.patch(self.alice, SETTINGS, {"contextTemplate": "ours"}).status_code, 200)
        self.assert_error(self.patch(self.erin, SETTINGS, {"contextTemplate": None}), 403, "FORBIDDEN")

    def test_a_preset_that_brings_one_along_is_theirs_to_set_too(self) -> None:
        for slug, more in (("with", {"contextTemplate": "ours"}), ("without", {})):
            preset = {"kind": "preset", "version": 1, "id": slug, "name": slug, **more}
            assert self.post(self.erin, "/api/v1/presets", {"document": preset}).status_code == 201
        self.assert_error(self.patch(self.erin, SETTINGS, {"preset": "with"}), 403, "FORBIDDEN")
        self.assertEqual(self.patch(self.erin, SETTINGS, {"preset": "without"}).status_code, 200)
        self.assertEqual(self.patch(self.alice, SETTINGS, {"preset": "with"}).status_code, 200)

    def test_editors_still_change_the_other_settings(self) -> None:
        self.patch(self.alice, SETTINGS, {"contextTemplate": "ours"})
        self.assertEqual(self.patch(self.erin, SETTINGS, {"maxContextTokens": 4096}).status_code, 200)
        whole = self.patch(self.erin, SETTINGS, {"contextTemplate": "ours", "promptConfig": "roleplay"})
        self.assertEqual(whole.json()["promptConfig"], "roleplay")  # type: ignore[attr-defined]

    def test_a_restore_is_no_way_around(self) -> None:
        self.patch(self.alice, SETTINGS, {"maxContextTokens": 4096})
        self.patch(self.alice, SETTINGS, {"contextTemplate": "ours"})
        url = f"{SETTINGS}/revisions/1/restore"
        self.assert_error(self.post(self.erin, url, {}), 403, "FORBIDDEN")
        self.assertEqual(self.post(self.alice, url, {}).status_code, 200)

    def test_what_is_the_default_is_in_use(self) -> None:
        self.patch(self.alice, SETTINGS, {"contextTemplate": "ours"})
        self.assert_error(self.delete(self.alice, f"{URL}/ours"), 409, "CONFLICT")


class ClosedTests(ContextTemplateCase):
    """The team keeps its context templates to administrators."""

    def setUp(self) -> None:
        super().setUp()
        teams.change_team(actor=self.alice.actor, policy=Policy(context_templates_for="admin"))

    def test_nobody_else_lists_reads_or_changes(self) -> None:
        for who in (self.bob, self.erin):
            for answer in (
                self.get(who, URL),
                self.get(who, f"{URL}/ours"),
                self.get(who, f"{URL}/story"),
                self.get(who, f"{URL}/ours/revisions"),
                self.get(who, f"{URL}/ours/export?as=neotavern"),
                self.delete(who, f"{URL}/ours"),
                self.post(who, f"{URL}/story/clone", {"slug": "mine"}),
                self.put(who, f"{URL}/ours", {"document": document(), "baseRevision": 1}),
                self.post(who, URL, {"document": document("new")}),
            ):
                self.assert_error(answer, 403, "FORBIDDEN")

    def test_search_and_import_keep_them_too(self) -> None:
        hits = self.get(self.bob, "/api/v1/search?q=ours").json()["items"]  # type: ignore[attr-defined]
        self.assertEqual([hit for hit in hits if hit["kind"] == "context-template"], [])
        item = self.post(self.erin, "/api/v1/import", document("his")).json()["items"][0]  # type: ignore[attr-defined]
        self.assertEqual((item["action"], item["error"]["code"]), ("refused", "FORBIDDEN"))

    def test_administrators_and_renders_go_on(self) -> None:
        self.assertEqual(self.get(self.alice, f"{URL}/ours").status_code, 200)
        self.patch(self.alice, SETTINGS, {"contextTemplate": "ours"})
        body = {
            "format": "chatml",
            "character": {"name": "Mira"},
            "messages": [{"role": "user", "content": "Hi"}],
        }
        answer = self.post(self.bob, "/api/v1/render", body).json()  # type: ignore[attr-defined]
        self.assertTrue(answer["prompt"].endswith("<|im_start|>assistant\nMira:"), answer["prompt"])
