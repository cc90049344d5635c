"""Findings of one text, each thing once and not without end."""

from __future__ import annotations

from chats.macros.limits import MAX_EXCERPT, MAX_FINDINGS, MAX_NESTING
from formats.prompt.findings import Finding, Severity

MESSAGES: dict[str, tuple[Severity, str]] = {
    "UNKNOWN_MACRO": ("warning", "{macro} is no macro and no variable: it stays as typed."),
    "MACRO_WITHOUT_VALUE": ("info", "{macro} has no value in this render: it stays as typed."),
    "MACRO_ARGUMENTS": ("warning", "{macro} can not be called like that: it stays as typed."),
    "MACRO_UNMATCHED": ("warning", "{macro} has no counterpart: it stays as typed."),
    "MACRO_TOO_DEEP": (
        "warning",
        f"{{macro}} has more than {MAX_NESTING} macros inside one another: it stays as typed.",
    ),
    "MACRO_LIMIT": ("warning", "{macro} would make the text too long: it stays as typed."),
    "MACRO_CONDITION": ("info", "{macro} is no macro and no variable: as a condition it is text, which is true."),
}


class Remarks:
    """Collects findings; `data` has the macro as typed and its place in the text."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._found: dict[tuple[str, str], Finding] = {}

    def add(self, code: str, macro: str, position: int) -> None:
        """Note something, unless it was noted for the same macro or there are too many."""
        excerpt = macro if len(macro) <= MAX_EXCERPT else macro[: MAX_EXCERPT - 1] + "…"
        if len(self._found) < MAX_FINDINGS and (code, excerpt) not in self._found:
            severity, message = MESSAGES[code]
            data = {"macro": excerpt, "position": position}
            shown = message.replace("{macro}", f"`{excerpt}`")
            self._found[code, excerpt] = Finding(severity, code, shown, self._path, data=data)

    def all(self) -> tuple[Finding, ...]:
        """Return them in the order in which they were found."""
        return tuple(self._found.values())
