"""What the checks of a context template notice."""

from __future__ import annotations

import pytest

from formats.context import read_context_template
from formats.lint.context import context_checks
from tests.formats.context.templates import STORY

REST = "{{#systemBlock}}{{personas}}{{worldLore}}{{history}}{{narrativeGraph}}{{currentDate}}{{/systemBlock}}"
WHOLE = REST + STORY


def codes(template: str) -> list[tuple[str, str]]:
    """Severity and code of every finding."""
    findings = context_checks(read_context_template({"template": template})).findings
    return [(one.severity, one.code) for one in findings]


def test_a_whole_template_has_none() -> None:
    assert codes(WHOLE) == []


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('(eq role "user")', '(eq role "human")', [("error", "MESSAGES_LOST")]),
        (
            "{{{name}}}: {{{message}}}\n{{/userBlock}}",
            "{{message}}{{message}}{{/userBlock}}",
            [("error", "MESSAGES_LOST")],
        ),
        ("{{/each}}\n", "{{/each}}{{#systemBlock}}Go on.{{/systemBlock}}", [("warning", "SEED_NOT_LAST")]),
        ("#assistantBlock", "#assistantBlock open=false", [("warning", "SEED_MISSING")]),
        ("hasContent", "nothing", [("warning", "REMINDER_LOST")] * 3),
        ("Like: {{{exampleDialogue}}}\n", "", [("warning", "REMINDER_LOST")]),
        ("{{/systemBlock}}\n\n{{#each", "{{/systemBlock}}\nChat:\n{{#each", [("warning", "TEXT_OUTSIDE_BLOCKS")]),
        ("{{{scenario}}}", "{{{scenery}}}", [("warning", "UNKNOWN_VARIABLE")]),
        ("{{personas}}", "", [("info", "VARIABLE_NOT_USED")]),
    ],
    ids=str,
)
def test_each_fault_is_named(old: str, new: str, found: list[tuple[str, str]]) -> None:
    assert old in WHOLE
    assert codes(WHOLE.replace(old, new)) == found


def test_lost_messages_are_red_and_the_rest_is_not() -> None:
    lost = context_checks(read_context_template({"template": REST}))
    assert lost.colour == "red"
    unused = context_checks(read_context_template({"template": STORY}))
    assert unused.colour == "green"
