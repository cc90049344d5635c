"""Errors of this package: each says where, what, and under which code the HTTP layer reports it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

VALIDATION = "VALIDATION"
TEMPLATE_SYNTAX = "TEMPLATE_SYNTAX"
TEMPLATE_LIMIT = "TEMPLATE_LIMIT"
UNSUPPORTED_VERSION = "UNSUPPORTED_VERSION"
RENDER_REFUSED = "RENDER_REFUSED"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, with its place: `path` is dotted and indexed, `line` and `column` count from 1."""

    path: str
    message: str
    code: str = VALIDATION
    line: int | None = None
    column: int | None = None

    def within(self, prefix: str) -> Fault:
        """The same fault seen from outside: `user` inside `format` is `format.user`."""
        return Fault(join_path(prefix, self.path), self.message, self.code, self.line, self.column)

    def to_dict(self) -> dict[str, Any]:
        """JSON shape of one entry of an error's `details`."""
        return {
            "path": self.path, "line": self.line, "column": self.column, "code": self.code, "message": self.message,
        }  # fmt: skip


class PromptError(ValueError):
    """Base of the errors here. `faults` holds all of them; the attributes repeat the first."""

    def __init__(self, faults: Iterable[Fault] | Fault) -> None:
        self.faults: tuple[Fault, ...] = (faults,) if isinstance(faults, Fault) else tuple(faults)
        first = self.faults[0]
        self.path, self.message, self.code = first.path, first.message, first.code
        self.line, self.column = first.line, first.column
        super().__init__(
            "; ".join(f"{fault.path}: {fault.message}" if fault.path else fault.message for fault in self.faults)
        )

    @property
    def details(self) -> list[dict[str, Any]]:
        """Every fault as JSON, the first included."""
        return [fault.to_dict() for fault in self.faults]


class FormatError(PromptError):
    """A format document that can not be used."""


class MessageError(PromptError):
    """A message array, or an option of a render, that can not be read."""


class RenderRefused(PromptError):
    """A good format and good messages that do not go together, or that a policy forbids to render."""

    def __init__(self, faults: Iterable[Fault] | Fault | str, path: str = "") -> None:
        super().__init__(Fault(path, faults, RENDER_REFUSED) if isinstance(faults, str) else faults)


def join_path(prefix: str, path: str) -> str:
    """`tests[0]` + `name` → `tests[0].name`; an index needs no dot."""
    if not prefix or not path:
        return prefix or path
    return prefix + path if path.startswith("[") else f"{prefix}.{path}"


def path_of(location: Iterable[str | int]) -> str:
    """`("stopStrings", 1)` → `stopStrings[1]`."""
    path = ""
    for step in location:
        path = f"{path}[{step}]" if isinstance(step, int) else join_path(path, step)
    return path
