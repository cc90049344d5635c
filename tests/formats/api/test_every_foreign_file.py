"""Every file of the measuring data comes in through the API, or is refused with a reason that names the file's sort."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from formats.services.builtins import load_builtins
from tests.formats.api.test_formats import FormatTestCase

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
REFUSED = {"57_chatterui_839dab2_exampleTemplate.json": "ChatterUI connection"}


@pytest.mark.conformance
@pytest.mark.skipif(not SHARED.exists(), reason="the measuring data is not here")
class EveryForeignFileTests(FormatTestCase):
    def setUp(self) -> None:
        super().setUp()
        load_builtins()

    def bring(self, path: Path) -> list[dict[str, Any]]:
        file = SimpleUploadedFile(path.name, path.read_bytes())
        headers = {"Authorization": f"Bearer {self.alice.key}"}
        answer = self.client.post("/api/v1/import?dryRun=true", {"file": file}, headers=headers)
        self.assertEqual(answer.status_code, 200, path.name)
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    def test_samples(self) -> None:
        unread = []
        for path in sorted((SHARED / "samples").iterdir()):
            if path.name != "README.txt":
                unread += [(path.name, one["error"]) for one in self.bring(path) if one["action"] == "refused"]
        self.assertEqual(unread, [])

    def test_presets(self) -> None:
        refused = {}
        for path in sorted((SHARED / "presets").iterdir()):
            if path.name != "index.json":
                items = self.bring(path)
                self.assertTrue(items, path.name)
                found = [one["detected"] for one in items if one["action"] == "refused"]
                refused |= {path.name: found[0]} if found else {}
        self.assertEqual(refused, REFUSED)

    def test_templates_of_chat_bricks(self) -> None:
        known = json.loads((SHARED / "chat_bricks" / "custom_templates.json").read_text())
        items = self.bring(SHARED / "chat_bricks" / "custom_templates.json")
        self.assertEqual([one["action"] for one in items], ["created"] * len(known))
