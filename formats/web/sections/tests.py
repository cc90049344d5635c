"""Section Tests: conversations with the exact text they must become."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from formats.web.field import Field, Section


def _tests(document: dict[str, Any]) -> str:
    tests = len(document.get("tests") or [])
    return ngettext("%(n)d test", "%(n)d tests", tests) % {"n": tests} if tests else _("none")


TESTS = Section(
    "tests",
    lazy("Tests"),
    _tests,
    (
        Field(
            "tests",
            lazy("Tests"),
            "json",
            lazy("A list; each test has a name, messages, options and the expected text. Tests run on every save."),
            '[{"name": "one turn", "messages": [{"role": "user", "content": "Hi"}], "options": '
            '{"addGenerationPrompt": false}, "expected": "<|im_start|>user\\nHi<|im_end|>\\n"}]',
            default=[],
            empty="absent",
        ),
    ),
    lazy(
        "A red test is saved with its revision, but the revision is not published until it is green or forced with "
        "a note."
    ),
)
