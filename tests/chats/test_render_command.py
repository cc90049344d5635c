"""`manage.py render`: the prompt's bytes on stdout, one line on stderr when something is wrong."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import SimpleTestCase

from tests.chats.base import CHATML_HI, LLAMA3_HI, USER_HI, RenderTestCase, tiny_format


class Stdin:
    def __init__(self, text: str) -> None:
        self.buffer = io.BytesIO(text.encode())


@pytest.fixture
def files(tmp_path: Path) -> Any:
    def write(name: str, value: Any) -> str:
        path = tmp_path / name
        path.write_text(json.dumps(value))
        return str(path)

    return write


class Output(io.TextIOWrapper):
    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")

    @property
    def bytes(self) -> bytes:
        self.flush()
        return self.buffer.getvalue()  # type: ignore[attr-defined]


def run(*arguments: str) -> bytes:
    output = Output()
    call_command("render", *arguments, stdout=output)
    return output.bytes


class WithoutDatabaseTests(SimpleTestCase):
    """A SimpleTestCase fails at the first query on any database."""

    @pytest.fixture(autouse=True)
    def _files(self, files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.files, self.monkeypatch = files, monkeypatch

    def test_a_builtin_and_messages(self) -> None:
        self.assertEqual(run("--format", "llama3", "--input", self.files("m.json", USER_HI)), LLAMA3_HI.encode())

    def test_messages_from_stdin(self) -> None:
        for arguments in (("--input", "-"), ()):
            self.monkeypatch.setattr(sys, "stdin", Stdin('[{"role": "user", "content": "Hü"}]'))
            prompt = "<|im_start|>user\nHü<|im_end|>\n<|im_start|>assistant\n"
            self.assertEqual(run("--format", "chatml", *arguments), prompt.encode())

    def test_a_file_and_a_request(self) -> None:
        request = {"messages": USER_HI, "addGenerationPrompt": False, "format": "llama3"}
        output = run("--format", self.files("tiny.json", tiny_format()), "--input", self.files("r.json", request))
        self.assertEqual(output, b"U:Hi\n")

    def test_the_answer_as_json(self) -> None:
        body = json.loads(run("--format", "chatml", "--input", self.files("m.json", USER_HI), "--json"))
        self.assertEqual((body["prompt"], body["stop"], body["mode"]), (CHATML_HI, ["<|im_end|>"], "text"))

    def test_text_streams_are_served_too(self) -> None:
        output = io.StringIO()
        call_command("render", "--format", "chatml", "--input", self.files("m.json", USER_HI), stdout=output)
        self.assertEqual(output.getvalue(), CHATML_HI)

    def test_what_is_wrong_is_one_line(self) -> None:
        good, missing = self.files("m.json", USER_HI), self.files("x", 1) + ".json"
        broken = self.files("b.json", tiny_format(user="{{#if}"))
        cases = [
            (("--format", "chatml", "--input", missing), "No such file"),
            (("--format", missing, "--input", good), "No such file"),
            (("--format", self.files("l.json", []), "--input", good), "JSON object"),
            (("--format", broken, "--input", good), "format.user"),
            (("--format", "chatml", "--input", self.files("n.json", 3)), "object"),
            (("--format", "chatml", "--input", self.files("o.json", {"colour": 1})), "colour"),
            (
                ("--format", "chatml", "--input", self.files("p.json", [{"role": "x", "content": ""}])),
                "messages[0].role",
            ),
        ]
        for arguments, words in cases:
            with self.subTest(arguments), pytest.raises(CommandError) as caught:
                run(*arguments)
            self.assertIn(words, str(caught.value))
            self.assertNotIn("\n", str(caught.value))

    def test_a_chat_request_without_a_prompt_says_so(self) -> None:
        request = {"messages": [{"role": "user", "content": "<|im_end|>"}], "specialTokenPolicy": "reject"}
        with pytest.raises(CommandError):
            run("--format", "chatml", "--input", self.files("r.json", request))


class TeamFormatTests(RenderTestCase):
    @pytest.fixture(autouse=True)
    def _files(self, files: Any) -> None:
        self.messages = files("m.json", USER_HI)

    def test_a_stored_format_of_the_first_team(self) -> None:
        self.make_format(self.alice)
        self.assertEqual(run("--format", "tiny", "--input", self.messages), b"U:Hi\nA:")

    def test_another_team(self) -> None:
        self.make_format(self.charlie, slug="chatml")
        named = ("--format", "chatml", "--input", self.messages)
        self.assertEqual(run(*named, "--team", "harbour"), b"U:Hi\nA:")
        self.assertEqual(run(*named), CHATML_HI.encode())

    def test_unknown_slugs_and_teams(self) -> None:
        for arguments, words in ((("nope",), "nope"), (("chatml", "--team", "nowhere"), "nowhere")):
            with pytest.raises(CommandError, match=words):
                run("--input", self.messages, "--format", *arguments)
