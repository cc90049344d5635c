"""Presets: what they may hold, what holds them, and what they do to a render."""

from __future__ import annotations

from typing import Any

from django.test import Client

from formats.selectors import defaults_of
from formats.services import defaults
from formats.services.builtins import load_builtins
from tests.formats.api.test_formats import FORMATS, HOUSE, FormatTestCase
from tests.library.samples import instruct_format, preset

PRESETS = "/api/v1/presets"
WRITING = f"{PRESETS}/writing"
SETTINGS = "/api/v1/settings"
HI = [{"role": "user", "content": "Hi"}]


class PresetTestCase(FormatTestCase):
    def store(self, slug: str = "writing", **fields: Any) -> Any:
        return self.post(self.alice, PRESETS, {"document": preset(slug, **fields)})

    def render(self, who: Any = None, **fields: Any) -> Any:
        return self.post(who or self.alice, "/api/v1/render", {"messages": HI, **fields})


class DocumentTests(PresetTestCase):
    def test_every_field_is_kept(self) -> None:
        whole = preset(
            description="For novels",
            tags=["novel"],
            instructFormat="house@1",
            contextTemplate=None,
            promptConfig=None,
            stopStrings=["\nUser:"],
            maxContextTokens=8192,
            reserveForReply=1024,
            contextStrategy="truncate",
            infill="auto",
            tokenizer="estimate",
            serializeAsText=True,
            postProcessing="merge",
            thinking=False,
            bos="omit",
            specialTokenPolicy="escape",
        )
        stored = self.post(self.alice, PRESETS, {"document": whole})
        self.assertEqual((stored.status_code, stored.json()["document"]), (201, whole))
        self.assertEqual((stored.json()["tags"], stored.json()["checks"]), (["novel"], "green"))
        exported = self.get(self.bob, f"{WRITING}/export")
        self.assertEqual(exported.json(), whole)
        self.assertEqual(
            self.get(self.bob, f"{WRITING}/export?report=true").json(),
            {"loss": [{"path": "instructFormat", "reason": "names 'house@1' and does not hold it"}]},
        )
        again = self.post(self.alice, "/api/v1/import", whole).json()["items"][0]
        self.assertEqual((again["detected"], again["action"], again["slug"]), ("preset 1", "unchanged", "writing"))

    def test_what_is_wrong_is_located(self) -> None:
        for fields, path in [
            ({"instructFormat": "mouse"}, "instructFormat"),
            ({"instructFormat": "house@9"}, "instructFormat"),
            ({"instructFormat": "a b"}, "instructFormat"),
            ({"instructFormat": {}}, "instructFormat"),
            ({"contextTemplate": "house"}, "contextTemplate"),
            ({"promptConfig": "house"}, "promptConfig"),
            ({"preset": "writing"}, "preset"),
            ({"stopStrings": [""]}, "stopStrings[0]"),
            ({"stopStrings": ["x" * 1025]}, "stopStrings[0]"),
            ({"stopStrings": ["x"] * 65}, "stopStrings"),
            ({"maxContextTokens": 0}, "maxContextTokens"),
            ({"reserveForReply": "1"}, "reserveForReply"),
            ({"postProcessing": "soup"}, "postProcessing"),
            ({"name": ""}, "name"),
            ({"id": "a/b"}, "id"),
            ({"id": "bulk"}, "id"),
            ({"description": "a\0b"}, "description"),
        ]:
            error = self.assert_error(
                self.post(self.alice, PRESETS, {"document": preset() | fields}), 422, "VALIDATION"
            )
            self.assertEqual(error["details"][0]["path"], path, error)
        newer = self.post(self.alice, PRESETS, {"document": preset(version=2) | {"version": 2}})
        self.assert_error(newer, 422, "UNSUPPORTED_VERSION")

    def test_what_it_names_is_in_use(self) -> None:
        self.put(self.alice, f"{HOUSE}/labels/production", {"revision": 1})
        self.store(instructFormat="house@production")
        used = {"usedBy": [{"kind": "preset", "slug": "writing", "path": "instructFormat"}]}
        for url in (HOUSE, f"{HOUSE}?permanent=true", f"{HOUSE}/labels/production"):
            self.assert_error(self.delete(self.alice, url), 409, "CONFLICT", used)
        self.patch(self.alice, SETTINGS, {"preset": "writing"})
        used = {"usedBy": [{"kind": "app-settings", "slug": "team", "path": "preset"}]}
        self.assert_error(self.delete(self.alice, WRITING), 409, "CONFLICT", used)
        self.patch(self.alice, SETTINGS, {"preset": None})
        self.assertEqual(self.delete(self.alice, WRITING).status_code, 204)
        self.assertEqual(self.delete(self.alice, f"{HOUSE}/labels/production").status_code, 204)
        self.assertEqual(self.delete(self.alice, HOUSE).status_code, 204)

    def test_what_a_revision_named_by_number_names_is_in_use(self) -> None:
        self.store(instructFormat="house")
        self.patch(self.alice, SETTINGS, {"preset": "writing@1"})
        self.put(self.alice, WRITING, {"document": preset(), "baseRevision": 1})
        used = {"usedBy": [{"kind": "preset", "slug": "writing", "path": "instructFormat"}]}
        self.assert_error(self.delete(self.alice, HOUSE), 409, "CONFLICT", used)
        self.patch(self.alice, SETTINGS, {"preset": "writing"})
        self.assertEqual(self.delete(self.alice, HOUSE).status_code, 204)

    def test_a_label_does_not_move_to_a_revision_that_names_what_is_gone(self) -> None:
        self.store(instructFormat="house")
        self.put(self.alice, WRITING, {"document": preset(), "baseRevision": 1})
        self.delete(self.alice, HOUSE)
        moved = self.put(self.alice, f"{WRITING}/labels/production", {"revision": 1})
        self.assertEqual(self.assert_error(moved, 422, "VALIDATION")["details"][0]["path"], "instructFormat")


class RenderTests(PresetTestCase):
    def setUp(self) -> None:
        super().setUp()
        load_builtins()
        self.post(self.alice, FORMATS, {"document": instruct_format("other", "O", stopStrings=["<o>"])})

    def test_a_preset_gives_format_and_stops(self) -> None:
        self.store(instructFormat="other", stopStrings=["<p>", "<r>"])
        answer = self.render(preset="writing", stopStrings=["<r>", "<q>"])
        self.assertEqual(answer.json()["prompt"], "U:Hi\nA:")
        self.assertEqual(answer.json()["stop"], ["<o>", "<p>", "<r>", "<q>"])

    def test_the_request_is_stronger(self) -> None:
        self.store(instructFormat="other", bos="omit", serializeAsText=True)
        self.assertEqual(self.render(preset="writing", format="chatml").json()["stop"], ["<|im_end|>"])
        self.assertEqual(self.render(preset="writing", format=None, serializeAsText=False).json()["mode"], "chat")
        llama = {"format": "llama3"}
        self.assertFalse(self.render(preset="writing", **llama).json()["prompt"].startswith("<|begin"))
        self.assertTrue(self.render(preset="writing", bos="keep", **llama).json()["prompt"].startswith("<|begin"))

    def test_the_preset_is_stronger_than_the_settings(self) -> None:
        self.store(instructFormat="other")
        self.patch(self.alice, SETTINGS, {"instructFormat": "chatml"})
        self.assertEqual(self.render(preset="writing").json()["stop"], ["<o>"])
        self.assertEqual(self.render().json()["stop"], ["<|im_end|>"])

    def test_a_default_preset_stands_behind_the_settings_own_fields(self) -> None:
        self.store(instructFormat="other", stopStrings=["<p>"])
        self.patch(self.alice, SETTINGS, {"preset": "writing"})
        self.assertEqual(self.render().json()["stop"], ["<o>", "<p>"])
        self.assertEqual(self.render(preset=None).json()["mode"], "chat")
        self.patch(self.alice, SETTINGS, {"instructFormat": "chatml"})
        self.assertEqual(self.render().json()["stop"], ["<|im_end|>", "<p>"])

    def test_labels_numbers_and_red_or_unknown_ones(self) -> None:
        self.store(instructFormat="other")
        self.put(self.alice, f"{WRITING}/labels/production", {"revision": 1})
        self.put(self.alice, WRITING, {"document": preset(instructFormat="chatml"), "baseRevision": 1})
        stops = [
            self.render(preset=name).json()["stop"][0]
            for name in ("writing", "writing@production", "writing@1", "writing@2", "writing@latest")
        ]
        self.assertEqual(stops, ["<|im_end|>", "<o>", "<o>", "<|im_end|>", "<|im_end|>"])
        for name in ("nothing", "writing@3", "writing@staging", "\0"):
            answer = self.render(preset=name)
            self.assertEqual(answer.status_code, 422 if name == "\0" else 404, name)
        self.delete(self.alice, WRITING)
        self.assert_error(self.render(preset="writing"), 404, "NOT_FOUND", {"preset": "writing"})

    def test_a_moved_label_holds_for_the_next_request(self) -> None:
        self.store(instructFormat="other")
        self.put(self.alice, WRITING, {"document": preset(instructFormat="chatml"), "baseRevision": 1})
        for number, stop in ((1, "<o>"), (2, "<|im_end|>"), (1, "<o>")):
            self.put(self.alice, f"{WRITING}/labels/production", {"revision": number})
            self.assertEqual(self.render(preset="writing@production").json()["stop"], [stop])

    def test_another_team_has_no_such_preset(self) -> None:
        self.store(instructFormat="other")
        self.assert_error(self.render(self.charlie, preset="writing"), 404, "NOT_FOUND", {"preset": "writing"})
        self.assertEqual(self.render(self.bob, preset="writing").status_code, 200)
        self.assertEqual(self.post(None, "/api/v1/render", {"messages": HI, "preset": "writing"}).status_code, 401)

    def test_a_person_in_a_browser_renders_by_her_own_defaults_and_a_key_never(self) -> None:
        self.store(instructFormat="other")
        self.patch(self.alice, SETTINGS, {"instructFormat": "chatml"})
        bob = self.bob.actor
        defaults.make_my_default(bob, kind="preset", pointer="writing")
        browser = Client()
        browser.force_login(self.bob.user)

        def stops() -> list[str]:
            body = {"messages": HI}
            answer = browser.post("/api/v1/render", body, content_type="application/json").json()
            return answer["stop"]

        self.assertEqual((stops(), self.render(self.bob).json()["stop"]), (["<o>"], ["<|im_end|>"]))
        shown = defaults_of(bob)
        self.assertEqual((shown["preset"].effective, shown["preset"].is_mine), ("writing", True))
        self.assertEqual((shown["instructFormat"].effective, shown["instructFormat"].is_mine), ("chatml", False))
        defaults.make_my_default(bob, kind="instruct-format", pointer="house")
        self.assertEqual(stops(), [])
        defaults.follow_the_team(bob, kind="instruct-format")
        defaults.follow_the_team(bob, kind="preset")
        self.assertEqual(stops(), ["<|im_end|>"])
        defaults.make_team_default(self.alice.actor, kind="preset", pointer="writing")
        self.assertEqual(stops(), ["<|im_end|>"])
        self.patch(self.alice, SETTINGS, {"unset": ["instructFormat"]})
        self.assertEqual(stops(), ["<o>"])
        defaults.make_my_default(bob, kind="preset", pointer=None)
        self.assertEqual(stops(), [])

    def test_the_rendered_prompts_of_two_revisions_are_compared(self) -> None:
        self.save("Be brief: ", base=1)
        conversation = [{"role": "system", "content": "Hello"}]
        answer = self.post(self.bob, f"{HOUSE}/diff", {"from": 1, "to": "latest", "messages": conversation}).json()
        self.assertEqual(
            answer["rendered"],
            {
                "before": "S:Hello\nA:",
                "after": "S:Be brief: Hello\nA:",
                "words": [
                    {"op": "equal", "text": "S:"},
                    {"op": "insert", "text": "Be brief: "},
                    {"op": "equal", "text": "Hello\nA:"},
                ],
                "unified": "--- rendered@1\n+++ rendered@2\n@@ -1,2 +1,2 @@\n-S:Hello\n+S:Be brief: Hello\n A:\n"
                "\\ No newline at end of file\n",
            },
        )
        self.assertEqual(answer["changes"][0]["path"], "system")
        bad = self.post(self.bob, f"{HOUSE}/diff", {"from": 1, "to": 2, "messages": [{"role": "cook", "content": "x"}]})
        self.assert_error(bad, 422, "VALIDATION")
        self.assert_error(self.post(self.bob, f"{HOUSE}/diff", {"from": 1}), 422, "VALIDATION")

    def test_presets_are_compared_by_what_they_render(self) -> None:
        self.store(instructFormat="other")
        self.put(self.alice, WRITING, {"document": preset(instructFormat="chatml"), "baseRevision": 1})
        answer = self.post(self.bob, f"{WRITING}/diff", {"messages": HI}).json()
        self.assertEqual(answer["rendered"]["before"], "U:Hi\nA:")
        self.assertTrue(answer["rendered"]["after"].startswith("<|im_start|>user\nHi"))

    def test_a_budget_is_applied_when_the_request_names_the_preset(self) -> None:
        self.store(instructFormat="other", maxContextTokens=100, reserveForReply=20)
        budget = self.render(preset="writing").json()["tokenBudget"]
        self.assertEqual((budget["contextLimit"], budget["reservedForReply"]), (100, 20))
        stronger = self.render(preset="writing", maxContextTokens=200).json()["tokenBudget"]
        self.assertEqual((stronger["contextLimit"], stronger["reservedForReply"]), (200, 20))
        self.patch(self.alice, SETTINGS, {"preset": "writing"})
        self.assertEqual(self.render().json()["tokenBudget"]["contextLimit"], None)

    def test_a_clone_is_another_preset(self) -> None:
        self.store(stopStrings=["<p>"])
        document = self.post(self.alice, f"{WRITING}/clone", {"slug": "mine"}).json()["document"]
        self.assertEqual((document["id"], document["stopStrings"]), ("mine", ["<p>"]))
