"""Import, export, validate: bare documents in and out."""

from __future__ import annotations

import json
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from formats.services.builtins import load_builtins
from neotavern.library.models import ImportBatch, Item, Revision
from tests.formats.api.test_formats import FORMATS, HOUSE, FormatTestCase, red_when
from tests.library.samples import instruct_format

IMPORT = "/api/v1/import"
VERSION_1 = {
    "id": "old",
    "version": 1,
    "system": "S{{{content}}}",
    "user": "U{{{content}}}",
    "assistant": "A{{{content}}}",
    "tool": "T{{{content}}}",
    "promptSuffix": "A",
    "stopStrings": ["", "U"],
}


class ImportTests(FormatTestCase):
    def bring(self, body: Any, query: str = "") -> list[dict[str, Any]]:
        answer = self.post(self.alice, IMPORT + query, body)
        self.assertEqual(answer.status_code, 200, answer.content)
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    def short(self, body: Any, query: str = "") -> list[tuple[str, str | None]]:
        return [(item["action"], item["slug"]) for item in self.bring(body, query)]

    def test_one_document(self) -> None:
        self.assertEqual(
            self.bring(instruct_format("fresh")),
            [
                {
                    "name": "House",
                    "detected": "instruct-format 2",
                    "action": "created",
                    "slug": "fresh",
                    "kind": "instruct-format",
                    "revision": 1,
                    "loss": [],
                    "error": None,
                }
            ],
        )

    def test_a_version_1_document_says_what_it_lost(self) -> None:
        item = self.bring(VERSION_1)[0]
        self.assertEqual((item["detected"], item["action"], item["slug"]), ("instruct-format 1", "created", "old"))
        self.assertEqual([loss["path"] for loss in item["loss"]], ["stopStrings[0]"])
        self.assertEqual(self.short(VERSION_1), [("unchanged", "old")])

    def test_the_same_slug_of_the_team_gets_a_new_revision_and_labels_stay(self) -> None:
        self.put(self.alice, f"{HOUSE}/labels/production", {"revision": 1})
        self.assertEqual(self.short(instruct_format()), [("unchanged", "house")])
        self.assertEqual(self.short(instruct_format(text="2")), [("newRevision", "house")])
        body = self.get(self.bob, HOUSE).json()
        self.assertEqual((body["revision"], body["labels"]), (2, {"production": 1}))

    def test_a_built_in_is_left_alone(self) -> None:
        load_builtins()
        self.assertEqual(self.short(instruct_format("chatml")), [("created", "chatml-2")])
        self.assertEqual(self.short(instruct_format("chatml")), [("unchanged", "chatml-2")])
        self.assertEqual(self.short(instruct_format("chatml", "x")), [("newRevision", "chatml-2")])
        self.assertEqual(self.get(self.bob, f"{FORMATS}/chatml-2").json()["document"]["id"], "chatml-2")

    def test_an_exported_built_in_comes_back_unchanged(self) -> None:
        load_builtins()
        file = json.loads(self.get(self.bob, f"{FORMATS}/chatml/export").content)
        self.assertEqual(self.short(file), [("unchanged", "chatml")])

    def test_a_broken_one_spoils_only_itself(self) -> None:
        broken = instruct_format("broken", user="{{#if")
        items = self.bring([instruct_format("one"), broken, 7, {"hello": 1}, instruct_format("two")])
        self.assertEqual(
            [(item["action"], item["slug"], item["detected"]) for item in items],
            [
                ("created", "one", "instruct-format 2"),
                ("refused", None, "instruct-format 2"),
                ("refused", None, None),
                ("refused", None, None),
                ("created", "two", "instruct-format 2"),
            ],
        )
        self.assertEqual(items[1]["error"]["code"], "TEMPLATE_SYNTAX")
        self.assertEqual(items[1]["error"]["details"][0]["path"], "user")
        self.assertEqual(items[3]["error"]["code"], "VALIDATION")

    def test_a_newer_document_is_refused_by_name(self) -> None:
        item = self.bring(instruct_format("newer", version=3))[0]
        self.assertEqual((item["action"], item["error"]["code"]), ("refused", "UNSUPPORTED_VERSION"))

    def test_a_dry_run_says_the_same_and_changes_nothing(self) -> None:
        documents = [instruct_format(text="2"), instruct_format("fresh"), instruct_format("fresh", "x"), 7]
        before = (Item.objects.count(), Revision.objects.count(), ImportBatch.objects.count())
        dry = self.bring(documents, "?dryRun=true")
        self.assertEqual((Item.objects.count(), Revision.objects.count(), ImportBatch.objects.count()), before)
        self.assertEqual([item["action"] for item in dry], ["newRevision", "created", "newRevision", "refused"])
        self.assertEqual(self.bring(documents), dry)

    def test_files_of_a_form(self) -> None:
        files = [
            SimpleUploadedFile("one.json", json.dumps(instruct_format("one")).encode()),
            SimpleUploadedFile("many.json", json.dumps([instruct_format("two"), instruct_format("six")]).encode()),
            SimpleUploadedFile("picture.png", b"PNG"),
        ]
        answer = self.client.post(IMPORT, {"file": files}, headers={"Authorization": f"Bearer {self.alice.key}"})
        items = answer.json()["items"]
        self.assertEqual(
            [(item["name"], item["action"], item["slug"]) for item in items],
            [
                ("House", "created", "one"),
                ("House", "created", "two"),
                ("House", "created", "six"),
                ("picture.png", "refused", None),
            ],
        )
        self.assertEqual(items[3]["error"]["code"], "BAD_JSON")

    def test_bodies_that_are_none(self) -> None:
        headers = {"Authorization": f"Bearer {self.alice.key}"}
        for body, media, status, code in [
            ("{", "application/json", 400, "BAD_JSON"),
            ("", "application/json", 400, "BAD_JSON"),
            ("x", "text/plain", 415, "UNSUPPORTED_MEDIA"),
            ("x", "multipart/form-data", 400, "BAD_JSON"),
            ("--b--", "multipart/form-data; boundary=b", 422, "VALIDATION"),
        ]:
            answer = self.client.generic("POST", IMPORT, body, content_type=media, headers=headers)
            self.assert_error(answer, status, code)

    def test_an_import_remembers_itself(self) -> None:
        self.bring(instruct_format("fresh"))
        batch = ImportBatch.objects.get()
        self.assertEqual(batch.revisions.get().item.slug, "fresh")
        self.assertEqual(json.loads(batch.report)[0]["action"], "created")

    def test_a_red_document_is_kept(self) -> None:
        with red_when("BAD"):
            self.assertEqual(self.short(instruct_format("odd", "BAD")), [("created", "odd")])
        self.assertEqual(self.get(self.bob, f"{FORMATS}/odd").json()["latest"], None)

    def test_an_archived_target_is_refused(self) -> None:
        self.delete(self.alice, HOUSE)
        self.assertEqual(self.bring(instruct_format(text="2"))[0]["error"]["code"], "CONFLICT")

    def test_who_may(self) -> None:
        self.assert_error(self.post(self.bob, IMPORT, instruct_format("x1")), 403, "FORBIDDEN")
        self.assert_error(self.post(None, IMPORT, instruct_format("x1")), 401, "UNAUTHENTICATED")
        mine = self.post(self.charlie, IMPORT, instruct_format(text="2")).json()["items"][0]
        self.assertEqual((mine["action"], mine["slug"]), ("created", "house"))


class ExportTests(FormatTestCase):
    def test_the_bare_file_is_what_was_saved(self) -> None:
        answer = self.get(self.bob, f"{HOUSE}/export?as=neotavern")
        self.assertEqual(answer["Content-Type"], "application/json")
        self.assertEqual(answer["Content-Disposition"], 'attachment; filename="house.json"')
        self.assertEqual(list(json.loads(answer.content).items()), list(instruct_format().items()))

    def test_version_1_has_eight_fields_and_a_report_says_what_it_lacks(self) -> None:
        self.put(self.alice, HOUSE, {"document": instruct_format(bos="<s>"), "baseRevision": 1})
        file = json.loads(self.get(self.bob, f"{HOUSE}/export?version=1").content)
        self.assertEqual(
            file,
            {
                "id": "house",
                "version": 1,
                "system": "S:{{{content}}}\n",
                "user": "U:{{{content}}}\n",
                "assistant": "A:{{{content}}}\n",
                "tool": "T:{{{content}}}\n",
                "promptSuffix": "A:",
                "stopStrings": [],
            },
        )
        report = self.get(self.bob, f"{HOUSE}/export?version=1&report=true").json()
        self.assertEqual([loss["path"] for loss in report["loss"]], ["name", "bos"])
        self.assertEqual(self.get(self.bob, f"{HOUSE}/export?report=true").json(), {"loss": []})

    def test_an_older_revision(self) -> None:
        self.put(self.alice, HOUSE, {"document": instruct_format(text="2"), "baseRevision": 1})
        file = json.loads(self.get(self.bob, f"{HOUSE}/export?revision=1").content)
        self.assertEqual(file, instruct_format())

    def test_unknown_styles_and_versions_name_the_known_ones(self) -> None:
        styles = ["neotavern", "sillytavern", "sillytavern-master", "jinja", "ollama", "chat_bricks", "koboldcpp"]
        params = {"known": sorted([*styles, "textgen", "vllm", "llamacpp"])}
        error = self.assert_error(self.get(self.bob, f"{HOUSE}/export?as=card"), 422, "VALIDATION", params)
        self.assertEqual(error["details"][0]["path"], "as")
        self.assert_error(self.get(self.bob, f"{HOUSE}/export?version=3"), 422, "VALIDATION", {"known": ["1", "2"]})


class ValidateTests(FormatTestCase):
    def lint(self, document: Any) -> dict[str, Any]:
        answer = self.post(self.bob, f"{FORMATS}/validate", {"document": document})
        self.assertEqual(answer.status_code, 200, answer.content)
        body: dict[str, Any] = answer.json()
        return body

    def test_a_good_one(self) -> None:
        body = self.lint(instruct_format())
        self.assertEqual((body["valid"], body["checks"]), (True, "green"))

    def test_a_bare_document_works_too(self) -> None:
        self.assertEqual(self.post(self.bob, f"{FORMATS}/validate", instruct_format()).json()["valid"], True)

    def test_a_broken_template_is_a_finding_with_its_place(self) -> None:
        body = self.lint(instruct_format(user="ab\n{{#if content}}"))
        finding = body["findings"][0]
        self.assertEqual((body["valid"], body["checks"]), (False, None))
        self.assertEqual(
            {key: finding[key] for key in ("severity", "code", "path", "line")},
            {"severity": "error", "code": "TEMPLATE_SYNTAX", "path": "user", "line": 2},
        )

    def test_a_red_one(self) -> None:
        with red_when("BAD"):
            body = self.lint(instruct_format(text="BAD"))
        self.assertEqual((body["valid"], body["checks"], body["findings"][0]["code"]), (True, "red", "bad-word"))

    def test_anything_else_is_a_finding_too(self) -> None:
        for document in (None, 7, "x", [], {}, {"kind": "lorebook"}):
            self.assertEqual(self.lint(document)["valid"], False, document)

    def test_nothing_is_saved(self) -> None:
        self.lint(instruct_format("fresh"))
        self.assertEqual(Item.objects.count(), 1)
