"""Random templates, rendered by this engine and by handlebars.js: the texts are the same.

Every difference that is known is a line of docs/handlebars.md; there is no list of tolerated cases. Damaged templates
show that both refuse the same sources, apart from what this engine refuses earlier (names, operands) or needs (spaces).
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from formats.handlebars import TemplateError, compile_template
from tests.formats.handlebars.generator import Generator, damaged

ROOT = Path(__file__).resolve().parents[3]
ORACLE = Path(__file__).with_name("oracle.cjs")
IS_THERE = shutil.which("node") is not None and (ROOT / "node_modules" / "handlebars").is_dir()

pytestmark = pytest.mark.skipif(not IS_THERE, reason="node or node_modules/handlebars is not here")

# Told when a template is compiled; handlebars.js tells them while rendering, and only where it gets to.
TOLD_EARLIER = (
    "unknown helper",
    "could not be found",
    " takes ",
    "requires exactly",
    "Must pass iterator",
    "is no block",
    "is a block",
    "has no key",
    "decorators",
)
NEEDS_A_SPACE = ("expected a name", "expected ')'", "expected '}}'")


def _in_javascript(cases: list[dict[str, Any]]) -> list[dict[str, str]]:
    lines = "\n".join(json.dumps(case) for case in cases)
    done = subprocess.run(["node", str(ORACLE)], input=lines, capture_output=True, text=True, timeout=120, check=True)
    return [json.loads(line) for line in done.stdout.split("\n")]


def _here(case: dict[str, Any]) -> dict[str, str]:
    try:
        template = compile_template(case["template"], partials=case["partials"], escape=case["escape"])
        return {"text": template.render(case["data"])}
    except TemplateError as error:
        return {"error": error.message}


@pytest.mark.parametrize("seed", range(4))
def test_random_templates_render_the_same(seed: int) -> None:
    generator = Generator(seed)
    cases = [generator.case() for _ in range(550)]
    expected = _in_javascript(cases)
    answers = [_here(case) for case in cases]
    differing = [
        (case["template"], case["data"], wanted, answer)
        for case, wanted, answer in zip(cases, expected, answers, strict=True)
        if wanted != answer and not ("error" in wanted and "error" in answer)
    ]
    assert differing == []
    assert sum("text" in answer for answer in answers) > 450


def test_damaged_templates_are_refused_by_both_or_by_neither() -> None:
    rng = random.Random(7)
    generator = Generator(8)
    cases = [generator.case() for _ in range(600)]
    for case in cases:
        case["template"] = damaged(rng, case["template"])
    unexplained = []
    for case, wanted, answer in zip(cases, _in_javascript(cases), map(_here, cases), strict=True):
        refused = answer.get("error", "")
        if wanted == answer or ("error" in wanted and refused):
            continue
        if refused and any(reason in refused for reason in TOLD_EARLIER + NEEDS_A_SPACE):
            continue
        unexplained.append((case["template"], case["data"], wanted, answer))
    assert unexplained == []


def test_role_blocks_and_pieces_do_not_change_the_text() -> None:
    generator = Generator(99)
    for _ in range(150):
        case = generator.case()
        try:
            template = compile_template(case["template"], partials=case["partials"], escape=case["escape"])
            text = template.render(case["data"])
        except TemplateError:
            continue
        assert "".join(text for text, _ in template.pieces(case["data"])) == text
