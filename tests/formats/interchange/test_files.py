"""Every foreign file here becomes exactly the documents of its golden file, with exactly those losses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from formats.context import CompiledContext, PromptConfig, read_context_template
from formats.prompt import import_instruct_format
from tests.formats.interchange.reading import FILES, made_of

GOLDEN = Path(__file__).parents[2] / "golden" / "interchange"
NAMES = sorted(path.name for path in FILES.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_a_file_becomes_what_its_golden_file_says(name: str) -> None:
    expected = json.loads((GOLDEN / f"{name}.expected.json").read_text())
    assert made_of(FILES / name) == expected


@pytest.mark.parametrize("name", NAMES)
def test_what_it_becomes_can_be_used(name: str) -> None:
    for made in made_of(FILES / name):
        document = made["document"]
        if made["kind"] == "instruct-format":
            import_instruct_format(document)
        elif made["kind"] == "prompt-config":
            PromptConfig.model_validate(document)
        elif made["kind"] == "context-template":
            assert CompiledContext(read_context_template(document)).findings == ()
