"""Taking an import back."""

from __future__ import annotations

from typing import Any

from neotavern.library import selectors, services
from neotavern.library.models import ImportBatch
from tests.library.samples import instruct_format, preset
from tests.teams import Person, TeamTestCase

IMPORTS = "/api/v1/imports"
FORMATS = "/api/v1/formats"


class UndoTests(TeamTestCase):
    def setUp(self) -> None:
        super().setUp()
        services.create(self.alice.actor, kind="instruct-format", document=instruct_format("old", "one "))
        documents = [instruct_format("old", "two "), instruct_format("fresh"), {"what": "ever"}]
        self.outcome = self.post(self.alice, "/api/v1/import", documents).json()
        self.batch = ImportBatch.objects.get().pk

    def undo(self, who: Any) -> Any:
        return self.post(who, f"{IMPORTS}/{self.batch}/undo")

    def test_what_was_made_is_archived_and_what_was_changed_is_as_before(self) -> None:
        answer = self.undo(self.alice).json()
        self.assertEqual(
            answer["items"],
            [
                {"kind": "instruct-format", "slug": "old", "action": "restored", "error": None},
                {"kind": "instruct-format", "slug": "fresh", "action": "archived", "error": None},
            ],
        )
        old = self.get(self.bob, f"{FORMATS}/old").json()
        self.assertEqual((old["revision"], old["document"]), (3, instruct_format("old", "one ")))
        self.assertTrue(self.get(self.bob, f"{FORMATS}/fresh").json()["archived"])
        self.assert_error(self.undo(self.alice), 409, "CONFLICT", {"id": self.batch})

    def test_what_was_changed_or_used_since_is_kept(self) -> None:
        changed = {"document": instruct_format("old", "three "), "baseRevision": 2}
        self.put(self.alice, f"{FORMATS}/old", changed)
        services.create(self.alice.actor, kind="preset", document=preset(instructFormat="fresh"))
        items = self.undo(self.alice).json()["items"]
        self.assertEqual(
            [(one["action"], one["error"]["params"]) for one in items],
            [
                ("kept", {"currentRevision": 3}),
                ("kept", {"usedBy": [{"kind": "preset", "slug": "writing", "path": "instructFormat"}]}),
            ],
        )
        item = selectors.get_item(self.alice.actor, kind="instruct-format", slug="old")
        self.assertEqual(item.last_number, 3)

    def test_imports_are_listed(self) -> None:
        page = self.get(self.bob, IMPORTS).json()
        item = page["items"][0]
        self.assertEqual((len(page["items"]), page["nextCursor"]), (1, None))
        self.assertEqual((item["id"], item["createdBy"], item["undoneAt"]), (self.batch, "alice", None))
        self.assertEqual(item["counts"], {"newRevision": 1, "created": 1, "refused": 1})
        self.undo(self.alice)
        self.assertIsNotNone(self.get(self.bob, IMPORTS).json()["items"][0]["undoneAt"])
        self.assertEqual(self.get(self.charlie, IMPORTS).json()["items"], [])

    def test_who_may(self) -> None:
        self.assert_error(self.undo(self.bob), 403, "FORBIDDEN")
        self.assert_error(self.undo(Person("edith", self.team, "editor")), 403, "FORBIDDEN")
        self.assert_error(self.undo(self.charlie), 404, "NOT_FOUND", {"id": self.batch})
        self.assert_error(self.undo(None), 401, "UNAUTHENTICATED")
        self.assert_error(self.get(None, IMPORTS), 401, "UNAUTHENTICATED")
        self.assert_error(self.post(self.alice, f"{IMPORTS}/99999999999999999999/undo"), 404, "NOT_FOUND")
