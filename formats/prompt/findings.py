"""Findings: what a render or a check has to tell beside its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark. `path` names a message, a field of the format or an option; `data` holds the figures behind it."""

    severity: Severity
    code: str
    message: str
    path: str = ""
    line: int | None = None
    column: int | None = None
    data: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """JSON shape: only what is known."""
        shown: dict[str, Any] = {
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
            "path": self.path,
        }
        if self.line is not None:
            shown |= {"line": self.line, "column": self.column}
        if self.data:
            shown["data"] = dict(self.data)
        return shown
