from __future__ import annotations

from typing import Any

import pytest

from formats.builtin import builtin, builtin_slugs
from formats.lint import TestOutcome, checks, lint, run_tests
from formats.lint.probes import probes
from formats.lint.rule import Probe
from formats.lint.rules.content_order import content_order
from formats.prompt import Message, import_instruct_format, render
from tests.formats.prompt.samples import PLAIN, plain

# A format that no rule has anything to say about.
CLEAN: dict[str, Any] = {
    **PLAIN,
    **{role: f"<|{role}|>{{{{{{content}}}}}}<|end|>" for role in ("system", "user", "assistant", "tool")},
    "promptSuffix": "<|assistant|>",
    "stopStrings": ["<|end|>"],
    "specialTokens": ["<|system|>", "<|user|>", "<|assistant|>", "<|tool|>", "<|end|>"],
}


def found(**changes: Any) -> list[tuple[str, str, str]]:
    return [(finding.severity, finding.code, finding.path) for finding in lint({**CLEAN, **changes})]


def test_a_clean_format_has_no_findings() -> None:
    assert found() == []


# What the makers' own layouts do against the rules.
THEIR_LAYOUT = {
    **dict.fromkeys(
        ["custom-jinja", "markdown-style", "simple-chat", "tool-enabled", "vision-enabled"], ["STOP_IN_PROSE"]
    ),
    "gpt-oss": ["STOP_MISSING", "TURN_MARKERS"],
    "llama2": ["BOS_IN_TEMPLATE"],
    "qwen1.5": ["TURN_MARKERS"],
}


@pytest.mark.parametrize("slug", builtin_slugs())
def test_the_built_ins_have_none_either(slug: str) -> None:
    report = checks(builtin(slug))
    codes = [finding.code for finding in report.findings if finding.severity != "info"]
    assert (report.colour, codes) == ("green", THEIR_LAYOUT.get(slug, []))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"tool": "<|tool|><|end|>"}, ("error", "CONTENT_LOST", "tool")),
        ({"bos": "<|b|>", "prefix": "<|b|>"}, ("error", "BOS_TWICE", "bos")),
        ({"systemPolicy": {"first": "error"}, "defaultSystem": "D"}, ("error", "RENDER_FAILED", "")),
        ({"tool": "<|tool|>{'a': 1}{{content}}<|end|>"}, ("error", "PYTHON_REPR", "")),
        ({"user": "<|user|>{{content}}{{content}}<|end|>"}, ("warning", "CONTENT_TWICE", "user")),
        ({"promptSuffix": ""}, ("warning", "GENERATION_PROMPT", "promptSuffix")),
        ({"specialTokens": CLEAN["specialTokens"][:-1]}, ("warning", "SPECIAL_TOKEN_UNLISTED", "specialTokens")),
        ({"stopStrings": []}, ("warning", "STOP_MISSING", "stopStrings")),
        ({"stopStrings": ["</s>"]}, ("warning", "STOP_MISSING", "stopStrings")),
        ({"stopStrings": ["<|end|>", "###"]}, ("warning", "STOP_IN_PROSE", "stopStrings[1]")),
        ({"stopStrings": ["<|end|>", "assistant"]}, ("warning", "STOP_IN_GENERATION_PROMPT", "stopStrings[1]")),
        ({"systemPolicy": {"first": "fold_last_user"}}, ("info", "PREFIX_STABILITY", "")),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) else "",
)  # fmt: skip
def test_a_rule_finds_its_fault_and_nothing_else(changes: dict[str, Any], expected: tuple[str, str, str]) -> None:
    assert found(**changes) == [expected]


def test_a_generation_prompt_of_another_role() -> None:
    assert found(promptSuffix="<|user|>") == [
        ("warning", "GENERATION_PROMPT", "promptSuffix"),
        ("info", "PREFIX_STABILITY", ""),
    ]


def test_bos_in_a_template_has_a_line_and_a_column() -> None:
    tokens = [*CLEAN["specialTokens"], {"token": "<|b|>", "meaning": "bos"}]
    findings = lint({**CLEAN, "user": "<|user|>\n <|b|>{{{content}}}<|end|>", "specialTokens": tokens})
    assert [(f.code, f.path, f.line, f.column) for f in findings] == [("BOS_IN_TEMPLATE", "user", 2, 2)]


def test_bos_in_the_system_template_doubles_with_a_second_system_message() -> None:
    tokens = [*CLEAN["specialTokens"], {"token": "<|b|>", "meaning": "bos"}]
    changes = {"system": "<|b|><|system|>{{{content}}}<|end|>", "specialTokens": tokens}
    assert found(**changes) == [("error", "BOS_TWICE", "system"), ("warning", "BOS_IN_TEMPLATE", "system")]


def test_a_policy_that_refuses_odd_conversations_is_no_fault() -> None:
    assert found(alternation="error", systemPolicy={"later": "error"}) == []


def test_a_document_that_can_not_be_read_gives_its_faults() -> None:
    assert found(user="{{", name=3) == [("error", "VALIDATION", "name")]
    findings = lint({**CLEAN, "user": "<|user|>\n{{contnt}}"})
    assert [(f.severity, f.code, f.path, f.line, f.column) for f in findings] == [
        ("error", "TEMPLATE_SYNTAX", "user", 2, 3)
    ]


class TestTheDocumentsOwnTests:
    HI = [{"role": "user", "content": "Hi"}]

    def test_each_has_an_outcome(self) -> None:
        tests = [
            {"name": "good", "messages": self.HI, "expected": "<u>Hi><a>"},
            {"name": "closed", "messages": self.HI, "options": {"addGenerationPrompt": False}, "expected": "<u>Hi>"},
            {"name": "wrong", "messages": self.HI, "expected": "<u>Ho><a>"},
            {"name": "refused", "messages": self.HI, "options": {"continueFinalMessage": True}, "expected": ""},
        ]
        why = "messages[0].role: only an assistant's last message can be continued"
        assert run_tests(plain(tests=tests)) == [
            TestOutcome("good", True, "<u>Hi><a>", "<u>Hi><a>"),
            TestOutcome("closed", True, "<u>Hi>", "<u>Hi>"),
            TestOutcome("wrong", False, "<u>Ho><a>", "<u>Hi><a>"),
            TestOutcome("refused", False, "", None, why),
        ]

    def test_a_failed_one_turns_the_revision_red(self) -> None:
        report = checks({**CLEAN, "tests": [{"name": "wrong", "messages": [], "expected": "<|user|>"}]})
        assert (report.colour, [(f.code, f.path, f.message) for f in report.findings]) == (
            "red", [("TEST_FAILED", "tests[0]", "The test 'wrong' fails: the text differs at character 2.")],
        )  # fmt: skip

    def test_a_warning_stays_green(self) -> None:
        assert checks({**CLEAN, "stopStrings": []}).colour == "green"

    def test_what_can_not_be_read_is_red(self) -> None:
        assert checks({**CLEAN, "user": "{{"}).colour == "red"


@pytest.mark.parametrize(
    ("changes", "pair"),
    [
        ({"user": "<|im_start|>user\n{{{content}}}\n", "assistant": "<|im_start|>a\n{{{content}}}<|im_end|>"}, "im"),
        ({"user": "[INST]{{{content}}}", "assistant": "[/INST]{{{content}}}[/INST]"}, "INST"),
        ({"user": "<turn>{{{content}}}</turn>", "assistant": "<turn>{{{content}}}"}, "turn"),
    ],
)
def test_turn_markers_that_open_and_do_not_close(changes: dict[str, Any], pair: str) -> None:
    findings = [one for one in lint({**CLEAN, **changes}) if one.code == "TURN_MARKERS"]
    assert [(one.severity, one.path) for one in findings] == [("warning", "")]
    assert pair in findings[0].message


def test_turn_markers_of_tags_that_nothing_closes_are_no_pairs() -> None:
    assert "TURN_MARKERS" not in {one.code for one in lint({**CLEAN, "user": "<user>{{{content}}}<|end|>"})}


def test_a_turn_that_plain_words_open_can_be_forged() -> None:
    user, tokens = "User: {{{content}}}<|end|>", [*CLEAN["specialTokens"], "User:"]
    assert ("info", "PLAIN_TURN_MARKER", "user") in found(user=user)
    assert "PLAIN_TURN_MARKER" not in {code for _, code, _ in found(user=user, specialTokens=tokens)}


def test_a_dated_prompt_says_so() -> None:
    assert found(processors=[{"name": "date_header"}], system="<|system|>{{{date}}}{{{content}}}<|end|>") == [
        ("info", "DATED", "")
    ]


def test_contents_that_change_places() -> None:
    messages = (Message("user", "first"), Message("assistant", "second"))
    fmt = import_instruct_format(CLEAN)
    probe = Probe(fmt, "swapped", messages, render(fmt, messages[::-1]))
    assert [(one.path, one.message) for one in content_order(probe)] == [
        (
            "assistant",
            "In the conversation “swapped” the assistant's content comes before the user's that it follows.",
        )
    ]


def test_the_conversations_that_formats_are_tried_on() -> None:
    names = [probe.name for probe in probes(import_instruct_format(CLEAN))]
    assert names[-6:] == [
        "two system messages", "an empty chat", "1,000 messages", "a call without content", "parallel calls",
        "text in parts",
    ]  # fmt: skip


def test_a_chat_template_that_comes_to_a_limit_is_tried_once() -> None:
    endless = "{% for a in range(99999) %}{% for b in range(99999) %}{{ a * b }}{% endfor %}{% endfor %}"
    tried = list(probes(import_instruct_format({**CLEAN, "chatTemplate": endless})))
    assert len(tried) == 1
    assert tried[0].error is not None
