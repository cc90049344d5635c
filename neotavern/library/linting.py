"""What a save would say about a document, without saving it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from neotavern.ground.errors import AppError
from neotavern.library import kinds
from neotavern.library.kinds import Finding
from neotavern.library.services.prepare import prepare


@dataclass(frozen=True, slots=True)
class Verdict:
    """`checks` is None for a document that a save would refuse."""

    checks: str | None
    findings: list[Finding]

    def wire(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "valid": self.checks is not None,
            "checks": self.checks,
            "findings": [finding.wire() for finding in self.findings],
        }


def lint(kind: str, document: Any) -> Verdict:
    """Return the findings of `document`; each fault that would refuse it is a finding of severity error."""
    try:
        prepared = prepare(kinds.get(kind), document)
    except AppError as error:
        return Verdict(None, _faults(error))
    return Verdict(prepared.colour.value, list(prepared.report.findings))


def _faults(error: AppError) -> list[Finding]:
    if not error.details:
        return [Finding("error", error.code.value, error.message)]
    return [
        Finding("error", error.code.value, detail.message, detail.path, detail.line, detail.column)
        for detail in error.details
    ]
