"""A render that came to nothing, as the worker reports it."""

from __future__ import annotations

from typing import Any, Literal

Kind = Literal["syntax", "limit", "refused", "error"]


class Failure(Exception):
    """`kind` says whose fault it is; `line` and `column` count from 1."""

    def __init__(self, kind: Kind, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.kind, self.message, self.line, self.column = kind, message, line, column

    def report(self) -> dict[str, Any]:
        """JSON form, see `formats.jinja.errors`."""
        return {"kind": self.kind, "message": self.message, "line": self.line, "column": self.column}


class TimeUpError(BaseException):
    """Raised by the alarm; no `except Exception` of an engine keeps it."""


class Refusal(Exception):
    """What `raise_exception` raises inside a template."""


def raise_exception(message: object = "") -> None:
    """The template's way to refuse a conversation."""
    raise Refusal(str(message))


OUT_OF_TIME = "the template takes more time than it may"
OUT_OF_MEMORY = "the template takes more memory than it may"
TOO_LONG = "the template prints more text than it may"
TOO_DEEP = "the template nests deeper than it may"
