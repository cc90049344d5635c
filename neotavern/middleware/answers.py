"""JSON answers for errors that are met outside the API's own operations."""

from __future__ import annotations

import orjson
from django.http import HttpResponse

from neotavern.ground.errors import AppError, ErrorCode


def error_response(error: AppError, *, trace_id: str = "") -> HttpResponse:
    """Return the contract's error body. `trace_id` names the log line of an INTERNAL error."""
    body = error.body()
    if error.code is ErrorCode.INTERNAL:
        body["error"]["traceId"] = trace_id
    response = HttpResponse(orjson.dumps(body), content_type="application/json", status=error.status)
    if error.code is ErrorCode.UNAUTHENTICATED:
        response["WWW-Authenticate"] = "Bearer"
    if error.code is ErrorCode.RATE_LIMITED:
        response["Retry-After"] = str(error.params.get("retryAfter", 60))
    return response
