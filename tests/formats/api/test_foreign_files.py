"""Import of other programs' formats through the API: many documents of one file, losses, refusals with a place."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from formats.services.builtins import load_builtins
from tests.formats.api.test_formats import FormatTestCase
from tests.formats.interchange.reading import FILES

IMPORT = "/api/v1/import"
WAVES = {"input_sequence": "<u>", "output_sequence": "<a>", "name": "Waves", "names_behavior": "none"}


class ForeignFileTests(FormatTestCase):
    def bring(self, body: Any, query: str = "") -> list[dict[str, Any]]:
        answer = self.post(self.alice, IMPORT + query, body)
        self.assertEqual(answer.status_code, 200, answer.content)
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    def bring_file(self, name: str, raw: bytes) -> list[dict[str, Any]]:
        file = SimpleUploadedFile(name, raw)
        answer = self.client.post(IMPORT, {"file": file}, headers={"Authorization": f"Bearer {self.alice.key}"})
        self.assertEqual(answer.status_code, 200, answer.content)
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    def test_an_instruct_template_becomes_a_format_that_renders(self) -> None:
        item = self.bring({**WAVES, "colour": "red"})[0]
        self.assertEqual(
            (item["detected"], item["action"], item["kind"], item["slug"]),
            ("SillyTavern instruct template", "created", "instruct-format", "waves"),
        )
        reason = "is no field of an instruct template that is known here"
        self.assertEqual(item["loss"], [{"path": "colour", "reason": reason}])
        request = {"format": "waves", "messages": [{"role": "user", "content": "Hi"}]}
        self.assertEqual(self.post(self.alice, "/api/v1/render", request).json()["prompt"], "<u>Hi<a>")

    def test_a_file_with_several_documents_gives_one_line_for_each(self) -> None:
        items = self.bring({"instruct": WAVES, "sysprompt": {"name": "Quay", "content": "Write."}, "odd": {}})
        self.assertEqual(
            [(one["name"], one["kind"], one["action"]) for one in items],
            [("Waves", "instruct-format", "created"), ("Quay", "prompt-config", "created")],
        )
        self.assertEqual([loss["path"] for one in items for loss in one["loss"]], ["odd"])

    def test_the_same_file_again_changes_nothing(self) -> None:
        self.bring(WAVES)
        self.assertEqual([one["action"] for one in self.bring(WAVES)], ["unchanged"])

    def test_a_yaml_file(self) -> None:
        items = self.bring_file("tgwui-2023-06.yaml", (FILES / "tgwui-2023-06.yaml").read_bytes())
        self.assertEqual([(one["slug"], one["action"]) for one in items], [("tgwui-2023-06", "created")])

    def test_a_broken_yaml_file_is_refused_with_its_line(self) -> None:
        item = self.bring_file("a.yaml", b'user: "U"\nturn_template: "<|user|>\n')[0]
        self.assertEqual((item["action"], item["error"]["code"]), ("refused", "VALIDATION"))
        self.assertEqual(item["error"]["details"][0]["line"], 3)

    def test_anchors_are_not_read(self) -> None:
        item = self.bring_file("a.yaml", b'user: &a "U"\nbot: *a\nturn_template: "<|user|><|bot|>"\n')[0]
        self.assertEqual((item["action"], item["error"]["details"][0]["line"]), ("refused", 1))

    def test_a_wrong_type_is_refused_with_its_place(self) -> None:
        item = self.bring({**WAVES, "wrap": 1})[0]
        self.assertEqual((item["action"], item["detected"]), ("refused", "SillyTavern instruct template"))
        self.assertEqual([one["path"] for one in item["error"]["details"]], ["wrap"])

    def test_a_file_of_another_sort_is_refused_by_name(self) -> None:
        item = self.bring({"request": {}, "payload": {}, "features": {}})[0]
        self.assertEqual((item["action"], item["detected"]), ("refused", "ChatterUI connection"))

    def test_a_viewer_may_not_and_another_team_sees_nothing(self) -> None:
        self.assert_error(self.post(self.bob, IMPORT, WAVES), 403, "FORBIDDEN")
        self.bring(WAVES)
        self.assert_error(self.get(self.charlie, "/api/v1/formats/waves"), 404, "NOT_FOUND")


class ExportTests(FormatTestCase):
    def setUp(self) -> None:
        super().setUp()
        load_builtins()

    def exported(self, style: str, query: str = "") -> Any:
        return self.get(self.alice, f"/api/v1/formats/chatml/export?as={style}{query}")

    def test_jinja(self) -> None:
        answer = self.exported("jinja")
        self.assertEqual(answer["Content-Disposition"], 'attachment; filename="chatml.jinja"')
        self.assertTrue(answer.content.startswith(b"{%- set ns = namespace("))

    def test_flags_stand_in_the_first_line(self) -> None:
        first = self.exported("llamacpp").content.split(b"\n")[0]
        self.assertEqual(first, b"{#- llama-server --model MODEL.gguf --jinja --chat-template-file chatml.jinja")

    def test_the_report_says_what_is_lost(self) -> None:
        why = "a chat template names no stop strings: give them with each request"
        report = self.exported("jinja", "&report=true").json()
        self.assertEqual(report["loss"][0], {"path": "stopStrings", "reason": why})
