"""The one table that turns exceptions of the rooms below into error codes."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import ValidationError

from neotavern.accounts import auth
from neotavern.ground.errors import AppError, Detail, ErrorCode, not_found
from neotavern.middleware.answers import error_response

logger = logging.getLogger("neotavern.api")


def register(api: NinjaAPI) -> None:
    """Make `api` answer every exception with the contract's error body."""
    api.add_exception_handler(AppError, _app_error)
    api.add_exception_handler(ValidationError, _validation_error)
    api.add_exception_handler(Http404, _not_found)
    api.add_exception_handler(Exception, _internal)


def _app_error(request: HttpRequest, error: Any) -> HttpResponse:
    if error.code is ErrorCode.BAD_JSON or error.status in {413, 415, 422}:
        refused = _unauthenticated(request)
        if refused is not None:
            return refused
    return error_response(error)


def _validation_error(request: HttpRequest, error: Any) -> HttpResponse:
    refused = _unauthenticated(request)
    if refused is not None:
        return refused
    details = [Detail(path=path_of(fault["loc"]), message=_sentence(fault)) for fault in error.errors]
    first = details[0]
    where = f"{first.path}: " if first.path else ""
    more = f" ({len(details) - 1} more)" if len(details) > 1 else ""
    return error_response(AppError(ErrorCode.VALIDATION, f"{where}{first.message}{more}", details=details))


def _unauthenticated(request: HttpRequest) -> HttpResponse | None:
    """Return the 401 of a hot operation whose noted key is no good: such a caller learns nothing about its body."""
    token = getattr(request, "token", None)
    if token is None:
        return None
    try:
        auth.identify(request)
    except AppError as error:
        return error_response(error)
    return None


def _not_found(request: HttpRequest, error: Any) -> HttpResponse:
    return error_response(not_found())


def _internal(request: HttpRequest, error: Any) -> HttpResponse:
    trace_id = getattr(request, "request_id", "")
    logger.error("unexpected error", exc_info=error, extra={"fields": {"id": trace_id, "path": request.path}})
    answer = AppError(ErrorCode.INTERNAL, "Something went wrong here. The log has it under this traceId.")
    return error_response(answer, trace_id=trace_id)


def path_of(location: Sequence[str | int]) -> str:
    """Return pydantic's location as the contract's path: `messages[3].content`, without the parameter's name."""
    parts = list(location)
    if parts and parts[0] in {"body", "query", "path", "form", "file"}:
        parts = parts[2:] if parts[0] == "body" and len(parts) > 1 else parts[1:]
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


def _sentence(fault: dict[str, Any]) -> str:
    message = str(fault["msg"]).removeprefix("Value error, ")
    return message[:1].upper() + message[1:] + ("" if message.endswith(".") else ".")
