"""Outermost middleware: gives each request an id and writes one structured line about it."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable, Mapping
from time import perf_counter

from django.http import HttpRequest, HttpResponseBase

logger = logging.getLogger("neotavern.request")
_NOTHING: Mapping[str, str] = {}
ACCEPTED_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
SECRET_ADDRESS = re.compile(r"(/invitation/|/password/reset/[0-9A-Za-z]+-)[^/]+")
"""Addresses that are keys themselves: who knows one joins a team, or sets a password."""


class RequestLog:
    """Takes a sane `X-Request-ID` from in front or makes one, and answers with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request; the line has method, path, status and milliseconds; never bodies, queries or keys."""
        request_id = request_id_of(request.META.get("HTTP_X_REQUEST_ID", ""))
        request.request_id = request_id  # type: ignore[attr-defined]
        started = perf_counter()
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        if logger.isEnabledFor(logging.INFO):
            actor = getattr(request, "actor", None)
            more = {} if actor is None else {"team": actor.team_slug, "via": actor.via}
            path = SECRET_ADDRESS.sub(r"\1…", request.path)
            log_request(request_id, str(request.method), path, status=response.status_code, started=started, more=more)
        return response


def request_id_of(given: str) -> str:
    """Return the id that was given, when it is a sane one, or a new one."""
    return given if ACCEPTED_ID.fullmatch(given) else secrets.token_hex(8)


def log_request(
    request_id: str, method: str, path: str, *, status: int, started: float, more: Mapping[str, str] = _NOTHING
) -> None:
    """Write the line of a request that began at `started` of perf_counter."""
    fields = {
        "id": request_id,
        "method": method,
        "path": path,
        "status": status,
        "ms": round((perf_counter() - started) * 1000, 2),
    }
    logger.info("request", extra={"fields": {**fields, **more}})
