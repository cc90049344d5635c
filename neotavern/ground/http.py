"""Error answers as OpenAPI sees them, and the check that every operation declares what it can answer."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


class ErrorDetail(BaseModel):
    """One located fault."""

    path: str = ""
    message: str = ""
    line: int | None = None
    column: int | None = None


class ErrorBody(BaseModel):
    """What went wrong: `code` is one of docs/api.md's list, `params` its data."""

    code: str
    message: str
    params: dict[str, Any] = {}
    details: list[ErrorDetail] = []
    traceId: str | None = None


class ErrorOut(BaseModel):
    """The body of every answer from 400 up."""

    error: ErrorBody


def ERRORS(*statuses: int) -> dict[int, type[ErrorOut]]:
    """Return the `response=` entries for error statuses, those that any operation can answer included."""
    always = (400, 401, 413, 429, 500)
    return dict.fromkeys(sorted({*always, *statuses}), ErrorOut)
