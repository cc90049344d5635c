"""What a rule sees, and how it is registered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from formats.prompt import Finding, InstructFormat, Message, Rendered
from formats.prompt.findings import Severity


@dataclass(frozen=True, slots=True)
class Remark:
    """What a rule found: a place in the document, and a sentence that says what to do."""

    path: str
    message: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Probe:
    """One probe conversation in one format: its render, or the error instead."""

    format: InstructFormat
    name: str
    messages: tuple[Message, ...]
    rendered: Rendered | None
    error: Exception | None = None

    @property
    def is_long(self) -> bool:
        """True for a chat that only shows whether so much can be rendered at all."""
        return len(self.messages) > 100

    @property
    def text(self) -> str:
        """The prompt; empty when it could not be rendered."""
        return "" if self.rendered is None else self.rendered.text

    def markup(self, *sources: str) -> list[str]:
        """The format's own text in the prompt, in order; only of these fields when some are named."""
        segments = [] if self.rendered is None else self.rendered.segments
        return [part.text for part in segments if part.kind == "markup" and (not sources or part.source in sources)]


@dataclass(frozen=True, slots=True)
class Rule:
    """A check with its name and how much it matters."""

    name: str
    severity: Severity
    of_probe: Callable[[Probe], Iterable[Remark]] | None = None
    of_format: Callable[[InstructFormat], Iterable[Remark]] | None = None

    def finding(self, remark: Remark) -> Finding:
        """A remark of this rule as a finding."""
        code = self.name.upper().replace("-", "_")
        return Finding(self.severity, code, remark.message, remark.path, remark.line, remark.column)


RULES: Final[dict[str, Rule]] = {}

ProbeCheck = Callable[[Probe], Iterable[Remark]]
FormatCheck = Callable[[InstructFormat], Iterable[Remark]]


def rule(name: str, severity: Severity) -> Callable[[ProbeCheck], ProbeCheck]:
    """Register a check that looks at every probe."""

    def register(check: ProbeCheck) -> ProbeCheck:
        RULES[name] = Rule(name, severity, of_probe=check)
        return check

    return register


def format_rule(name: str, severity: Severity) -> Callable[[FormatCheck], FormatCheck]:
    """Register a check that looks at the document alone."""

    def register(check: FormatCheck) -> FormatCheck:
        RULES[name] = Rule(name, severity, of_format=check)
        return check

    return register
