"""Error codes of the HTTP surface and the one exception that carries them through services, pages and operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class ErrorCode(StrEnum):
    """Every code that an answer can carry; docs/api.md explains each."""

    BAD_JSON = "BAD_JSON"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    FORBIDDEN = "FORBIDDEN"
    NOT_FOUND = "NOT_FOUND"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    CONFLICT = "CONFLICT"
    PRECONDITION_FAILED = "PRECONDITION_FAILED"
    PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE"
    UNSUPPORTED_MEDIA = "UNSUPPORTED_MEDIA"
    VALIDATION = "VALIDATION"
    TEMPLATE_SYNTAX = "TEMPLATE_SYNTAX"
    TEMPLATE_LIMIT = "TEMPLATE_LIMIT"
    RENDER_REFUSED = "RENDER_REFUSED"
    UNSUPPORTED_VERSION = "UNSUPPORTED_VERSION"
    TOKEN_BUDGET_EXCEEDED = "TOKEN_BUDGET_EXCEEDED"  # noqa: S105 - counts tokens, hides none
    RATE_LIMITED = "RATE_LIMITED"
    INTERNAL = "INTERNAL"
    NOT_READY = "NOT_READY"


STATUS: dict[ErrorCode, int] = {
    ErrorCode.BAD_JSON: 400,
    ErrorCode.UNAUTHENTICATED: 401,
    ErrorCode.FORBIDDEN: 403,
    ErrorCode.NOT_FOUND: 404,
    ErrorCode.METHOD_NOT_ALLOWED: 405,
    ErrorCode.CONFLICT: 409,
    ErrorCode.PRECONDITION_FAILED: 412,
    ErrorCode.PAYLOAD_TOO_LARGE: 413,
    ErrorCode.UNSUPPORTED_MEDIA: 415,
    ErrorCode.VALIDATION: 422,
    ErrorCode.TEMPLATE_SYNTAX: 422,
    ErrorCode.TEMPLATE_LIMIT: 422,
    ErrorCode.RENDER_REFUSED: 422,
    ErrorCode.UNSUPPORTED_VERSION: 422,
    ErrorCode.TOKEN_BUDGET_EXCEEDED: 422,
    ErrorCode.RATE_LIMITED: 429,
    ErrorCode.INTERNAL: 500,
    ErrorCode.NOT_READY: 503,
}


@dataclass(frozen=True, slots=True)
class Detail:
    """One located fault: `path` inside the body, and line and column (from 1) when the fault is in a template."""

    path: str = ""
    message: str = ""
    line: int | None = None
    column: int | None = None

    def wire(self) -> dict[str, Any]:
        """Return the JSON form, without positions that are not known."""
        return {key: value for key, value in asdict(self).items() if value is not None}


class AppError(Exception):
    """A refusal that a person or a program can act on: what happened, what was kept, what to do."""

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        params: dict[str, Any] | None = None,
        details: Sequence[Detail] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.params = params or {}
        self.details = tuple(details)

    @property
    def status(self) -> int:
        """HTTP status of the code."""
        return STATUS[self.code]

    def body(self) -> dict[str, Any]:
        """Return the error body of the contract."""
        return {
            "error": {
                "code": self.code.value,
                "message": self.message,
                "params": self.params,
                "details": [detail.wire() for detail in self.details],
            }
        }


def not_found(what: str = "This object", **params: Any) -> AppError:
    """Return the 404 that an unknown object and another team's object share."""
    return AppError(ErrorCode.NOT_FOUND, f"{what} does not exist.", params=params)


def forbidden(message: str, **params: Any) -> AppError:
    """Return the 403 for an object that may be seen but not changed like this."""
    return AppError(ErrorCode.FORBIDDEN, message, params=params)


def conflict(message: str, **params: Any) -> AppError:
    """Return the 409 for a stale base, a taken slug or an object in use."""
    return AppError(ErrorCode.CONFLICT, message, params=params)


def invalid(path: str, message: str, **params: Any) -> AppError:
    """Return the 422 for one fault at `path`."""
    return AppError(ErrorCode.VALIDATION, message, params=params, details=[Detail(path=path, message=message)])
