"""The built-ins, byte for byte, as files to read."""

from __future__ import annotations

import pytest

from formats.builtin import builtin, builtin_slugs
from formats.prompt import Message, render
from tests.golden import Golden, load_golden

CASES = [(slug, case) for slug in builtin_slugs() for case in load_golden(f"prompt/{slug}.txt")]


@pytest.mark.parametrize(("slug", "case"), CASES, ids=[f"{slug}: {case.name}" for slug, case in CASES])
def test_it_renders_the_golden_text(slug: str, case: Golden) -> None:
    assert render(builtin(slug), Message.read_all(case.messages), **case.options).text == case.expected
