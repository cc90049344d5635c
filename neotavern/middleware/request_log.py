"""Outermost middleware: gives each request an id and writes one structured line about it."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable
from time import perf_counter

from django.http import HttpRequest, HttpResponseBase

logger = logging.getLogger("neotavern.request")
ACCEPTED_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


class RequestLog:
    """Takes a sane `X-Request-ID` from in front or makes one, and answers with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request; the line has method, path, status and milliseconds, never bodies, queries or keys."""
        given = request.META.get("HTTP_X_REQUEST_ID", "")
        request_id = given if ACCEPTED_ID.fullmatch(given) else secrets.token_hex(8)
        request.request_id = request_id  # type: ignore[attr-defined]
        started = perf_counter()
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        if logger.isEnabledFor(logging.INFO):
            fields = {
                "id": request_id,
                "method": request.method,
                "path": request.path,
                "status": response.status_code,
                "ms": round((perf_counter() - started) * 1000, 2),
            }
            actor = getattr(request, "actor", None)
            if actor is not None:
                fields |= {"team": actor.team_slug, "via": actor.via}
            logger.info("request", extra={"fields": fields})
        return response
