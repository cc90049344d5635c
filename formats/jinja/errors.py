"""What can be wrong with a chat template, or with rendering it: each error has a message and a place in the source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final


class JinjaError(Exception):
    """Base of the errors here. `line` and `column` count from 1; None where the engine does not tell."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        self.message, self.line, self.column = message, line, column
        super().__init__(message if line is None else f"{message} (line {line})")


class JinjaSyntaxError(JinjaError):
    """The source is no Jinja."""


class JinjaLimitError(JinjaError):
    """The template wants more time, memory, depth or output than it may have."""


class JinjaRefused(JinjaError):
    """The template itself refuses the conversation: it called `raise_exception`, and `message` is what it said."""


class JinjaRenderError(JinjaError):
    """The template does something that can not be done: a name that is not there, a wrong type."""


_KINDS: Final[Mapping[str, type[JinjaError]]] = {
    "syntax": JinjaSyntaxError,
    "limit": JinjaLimitError,
    "refused": JinjaRefused,
    "error": JinjaRenderError,
}


def error_of(report: Mapping[str, Any]) -> JinjaError:
    """The error that the worker reports as `{"kind", "message", "line", "column"}`."""
    return _KINDS[report["kind"]](report["message"], report.get("line"), report.get("column"))
