"""The published template of Serene Pub, pasted as it is: its golden messages, and its golden flat prompts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from formats.builtin import builtin
from formats.context import CompiledContext, read_context_template
from formats.lint.context import context_checks
from formats.prompt import Message, render

FOLDER = Path(__file__).parents[4] / "shared" / "data" / "serene_pub"
NO_FOLDER = "the golden renders are not here: ../shared/data/serene_pub"

pytestmark = [pytest.mark.conformance, pytest.mark.skipif(not FOLDER.is_dir(), reason=NO_FOLDER)]


def published() -> CompiledContext:
    """The template, compiled from the file."""
    source = (FOLDER / "seed_template.hbs").read_text(encoding="utf-8")
    return CompiledContext(read_context_template({"template": source}))


def goldens(ending: str) -> list[Any]:
    """The golden renders of one layout, each named by its file."""
    return [pytest.param(path, id=path.stem) for path in sorted(FOLDER.glob(f"*_{ending}.json"))]


@pytest.mark.parametrize("path", goldens("split_chat"))
def test_the_chat_form_is_the_golden_messages(path: Path) -> None:
    golden = json.loads(path.read_text(encoding="utf-8"))
    blocks = published().render(golden["context"]).blocks
    assert [{"role": one.role, "content": one.text} for one in blocks] == golden["messages_raw"]


@pytest.mark.parametrize("path", goldens("chatml"))
def test_the_flat_form_is_the_golden_prompt(path: Path) -> None:
    golden = json.loads(path.read_text(encoding="utf-8"))
    blocks = published().render(golden["context"]).blocks
    messages = [Message(one.role, one.text) for one in blocks]
    is_open = blocks[-1].is_open
    made = render(builtin("chatml"), messages, add_generation_prompt=False, continue_final_message=is_open)
    assert made.text == normalised(golden["output"])


def normalised(text: str) -> str:
    """The golden text without blank text between blocks, outer newlines of blocks and white space after the seed."""
    text = re.sub(r"<\|im_end\|>\s+(?=<\|im_start\|>)", "<|im_end|>\n", text)
    text = re.sub(r"(<\|im_start\|>\w+\n)\n*", r"\1", text)
    text = re.sub(r"(?<!\A<\|im_start\|>system)\n+<\|im_end\|>(?=\n<\|im_start\|>|\n\Z)", "<|im_end|>", text)
    # the seed is the last block, closed in the one golden whose context does not say which entry it is
    return re.sub(r"[ \n]+((?:<\|im_end\|>\n)?)\Z", r"\1", text)


def test_the_published_template_has_no_finding() -> None:
    report = context_checks(published().document)
    assert (report.colour, report.findings) == ("green", [])


def test_the_target_indexes_are_the_golden_ones() -> None:
    from formats.context import target_index

    table = json.loads((FOLDER / "post_history_target_index.json").read_text(encoding="utf-8"))
    rows = table if isinstance(table, list) else table["rows"]
    made = [target_index(row["messages_including_seed"], row["depth"]) for row in rows]
    assert made == [row["targetIndex"] for row in rows]


def test_a_reminder_without_instructions_never_shows_those_of_the_system_prompt() -> None:
    trap = json.loads((FOLDER / "trap_compat_below_trigger.json").read_text(encoding="utf-8"))
    blocks = published().render(trap["context"]).blocks
    assert not any("Response reminder" in one.text for one in blocks)
