"""Running the rules, and the tests of a document."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from formats.handlebars import TemplateError
from formats.lint import rules
from formats.lint.probes import probes
from formats.lint.rule import RULES, Rule
from formats.prompt import Finding, FormatError, InstructFormat, PromptError, import_instruct_format, render
from formats.prompt.cases import read_case

# An error of one kind at one place says all there is to say; more probes would only repeat it.
_Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """What one test of a document came to."""

    __test__ = False  # not a test of ours

    name: str
    passed: bool
    expected: str
    actual: str | None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The colour of a revision and what was found: red means that something is wrong, not merely unusual."""

    colour: Literal["green", "red"]
    findings: list[Finding]


def lint(document: InstructFormat | Mapping[str, Any]) -> list[Finding]:
    """Findings of every rule over every probe; a document that can not be read gives its faults as findings."""
    if not isinstance(document, InstructFormat):
        try:
            document = import_instruct_format(document)
        except FormatError as error:
            return [
                Finding("error", fault.code, fault.message, fault.path, fault.line, fault.column)
                for fault in error.faults
            ]
    found: dict[_Key, Finding] = {}
    for finding in _findings(document):
        found.setdefault((finding.code, finding.path, finding.message), finding)
    return sorted(found.values(), key=lambda finding: finding.severity != "error")


def run_tests(fmt: InstructFormat) -> list[TestOutcome]:
    """The document's own tests, each rendered and compared byte for byte."""
    outcomes = []
    for test in fmt.tests:
        try:
            messages, arguments = read_case(test)
            actual = render(fmt, messages, **arguments).text
            outcomes.append(TestOutcome(test.name, actual == test.expected, test.expected, actual))
        except (PromptError, TemplateError) as error:
            outcomes.append(TestOutcome(test.name, False, test.expected, None, str(error)))
    return outcomes


def checks(document: InstructFormat | Mapping[str, Any]) -> Report:
    """Lint and tests together: red for a failed test or a finding of severity `error`."""
    try:
        fmt = document if isinstance(document, InstructFormat) else import_instruct_format(document)
    except FormatError:
        return Report("red", lint(document))
    findings = [*lint(fmt), *_failures(fmt)]
    is_red = any(finding.severity == "error" for finding in findings)
    return Report("red" if is_red else "green", findings)


def _failures(fmt: InstructFormat) -> Iterator[Finding]:
    for index, outcome in enumerate(run_tests(fmt)):
        if not outcome.passed:
            why = (
                outcome.error or f"the text differs at character {_difference(outcome.expected, outcome.actual or '')}"
            )
            message = f"The test {outcome.name!r} fails: {why}."
            yield Finding("error", "TEST_FAILED", message, f"tests[{index}]")


def _difference(expected: str, actual: str) -> int:
    """The first offset at which the texts differ."""
    pairs = zip(expected, actual, strict=False)
    return next((at for at, (left, right) in enumerate(pairs) if left != right), min(len(expected), len(actual)))


def _findings(fmt: InstructFormat) -> Iterator[Finding]:
    tried = list(probes(fmt))
    for rule in _rules():
        if rule.of_format is not None:
            yield from map(rule.finding, rule.of_format(fmt))
        if rule.of_probe is not None:
            for probe in tried:
                if probe.rendered is None or not probe.is_long:
                    yield from map(rule.finding, rule.of_probe(probe))


@cache
def _rules() -> tuple[Rule, ...]:
    """Every rule of the package `rules`, by name."""
    for module in pkgutil.iter_modules(rules.__path__):
        importlib.import_module(f"{rules.__name__}.{module.name}")
    return tuple(RULES[name] for name in sorted(RULES))
