"""Turns the faults of a document into the API's refusal."""

from __future__ import annotations

from typing import Protocol

from neotavern.ground.errors import AppError, Detail, ErrorCode


class Fault(Protocol):
    """One located fault, as formats.prompt raises them."""

    @property
    def path(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def line(self) -> int | None: ...
    @property
    def column(self) -> int | None: ...


class Faulty(Protocol):
    """An error with all its faults; `code` is that of the first."""

    @property
    def faults(self) -> tuple[Fault, ...]: ...
    @property
    def code(self) -> str: ...


def refusal(error: Faulty) -> AppError:
    """Return the refusal that names every fault, the first one in its message."""
    details = [Detail(fault.path, fault.message, fault.line, fault.column) for fault in error.faults]
    first = details[0]
    where = f"{first.path}: " if first.path else ""
    more = f" ({len(details) - 1} more)" if len(details) > 1 else ""
    return AppError(ErrorCode(error.code), f"{where}{first.message}{more}", details=details)
