"""`manage.py render_dataset`: where the format comes from, and how it ends."""

from __future__ import annotations

import json
import tempfile
from io import StringIO
from pathlib import Path

from django.core.management import CommandError, call_command

from tests.chats.base import RenderTestCase, tiny_format

HI = [{"role": "user", "content": "Hi"}]


class RenderDatasetTests(RenderTestCase):
    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.source, self.target = self.folder / "in.jsonl", self.folder / "out.jsonl"
        self.source.write_text(json.dumps({"messages": HI}) + "\n")

    def run_it(self, *options: str) -> str:
        """Run and return what it says on stderr."""
        says = StringIO()
        call_command("render_dataset", str(self.source), str(self.target), *options, stderr=says)
        return says.getvalue()

    def texts(self) -> list[str]:
        return [json.loads(line)["text"] for line in self.target.read_text().splitlines()]

    def test_a_builtin(self) -> None:
        says = self.run_it("--format", "chatml")
        self.assertEqual(self.texts(), ["<|im_start|>user\nHi<|im_end|>\n"])
        self.assertIn(f"1 rows rendered to {self.target}, 0 refused.", says)

    def test_a_file(self) -> None:
        form = self.folder / "form.json"
        form.write_text(json.dumps(tiny_format()))
        self.run_it("--format", str(form), "--generation-prompt")
        self.assertEqual(self.texts(), ["U:Hi\nA:"])

    def test_the_format_of_a_team(self) -> None:
        self.make_format(self.alice, slug="mine")
        self.run_it("--format", "mine", "--team", self.team.slug)
        self.assertEqual(self.texts(), ["U:Hi\n"])
        with self.assertRaisesMessage(CommandError, "'mine'"):
            self.run_it("--format", "mine", "--team", self.other_team.slug, "--restart")

    def test_a_refused_row_ends_in_an_error(self) -> None:
        self.source.write_text('{"messages": 1}\n' + json.dumps(HI) + "\n")
        with self.assertRaisesMessage(CommandError, "1 rows were refused"):
            self.run_it("--format", "chatml")
        self.assertEqual(len(self.target.read_text().splitlines()), 2)

    def test_what_is_wrong_is_one_line(self) -> None:
        for options, message in (
            (["--format", "nope"], "'nope'"),
            (["--format", "nope.json"], "No such file"),
            (["--format", "chatml", "--tokenizer", "nope"], "nope"),
            (["--format", "chatml", "--tokenizer", "estimate"], "estimate"),
            (["--format", "chatml", "--offsets"], "--tokenizer"),
            (["--format", "chatml", "--workers", "0"], "--workers"),
        ):
            with self.subTest(options=options), self.assertRaisesMessage(CommandError, message):
                self.run_it(*options)
        self.source.unlink()
        with self.assertRaisesMessage(CommandError, "No such file"):
            self.run_it("--format", "chatml")
