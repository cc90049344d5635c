"""The one table that turns exceptions of the rooms below into error codes."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from neotavern.accounts import auth
from neotavern.ground.errors import AppError, ErrorCode, not_found
from neotavern.ground.validation import validation_refusal
from neotavern.middleware.answers import error_response

logger = logging.getLogger("neotavern.api")


def register(api: NinjaAPI) -> None:
    """Make `api` answer every exception with the contract's error body."""
    api.add_exception_handler(AppError, _app_error)
    api.add_exception_handler(ValidationError, _validation_error)
    api.add_exception_handler(HttpError, _unread_body)
    api.add_exception_handler(Http404, _not_found)
    api.add_exception_handler(Exception, _internal)


def _app_error(request: HttpRequest, error: Any) -> HttpResponse:
    if error.code is ErrorCode.BAD_JSON or error.status in {413, 415, 422}:
        refused = _unauthenticated(request)
        if refused is not None:
            return refused
    return error_response(error)


def _unread_body(request: HttpRequest, error: Any) -> HttpResponse:
    """Answer what the parser said; ninja hides it behind a 400 of its own."""
    cause = error.__cause__
    known = cause if isinstance(cause, AppError) else AppError(ErrorCode.BAD_JSON, str(error))
    return _app_error(request, known)


def _validation_error(request: HttpRequest, error: Any) -> HttpResponse:
    refused = _unauthenticated(request)
    if refused is not None:
        return refused
    faults = [{**fault, "loc": _within_body(fault["loc"])} for fault in error.errors]
    return error_response(validation_refusal(faults))


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


def _within_body(location: Sequence[str | int]) -> Sequence[str | int]:
    """Return a location without the name of the parameter that ninja puts in front."""
    if location and location[0] in {"body", "query", "path", "form", "file"}:
        return location[2:] if location[0] == "body" and len(location) > 1 else location[1:]
    return location
