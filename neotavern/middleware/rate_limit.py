"""Requests a minute for one API key, or for one address without a key; counted in Redis when it is there."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponseBase

from neotavern.accounts.client_address import client_address
from neotavern.ground.errors import AppError, ErrorCode
from neotavern.middleware.answers import error_response

logger = logging.getLogger("neotavern.rate")
WINDOW = 60
MAX_COUNTERS = 100_000
UNLIMITED = ("/api/v1/health", "/api/v1/ready")


class MinuteCounter:
    """Counts in this process: a dictionary that is emptied when the minute ends, so it can not grow for ever."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._minute = -1
        self._counts: dict[str, int] = {}

    def add(self, key: str, minute: int) -> int:
        """Count one request of `key` and return how many there are in this minute."""
        with self._lock:
            if minute != self._minute or len(self._counts) > MAX_COUNTERS:
                self._minute, self._counts = minute, {}
            self._counts[key] = count = self._counts.get(key, 0) + 1
            return count


class SharedCounter:
    """Counts in the shared cache. A cache that does not answer limits nothing: better served than refused."""

    def add(self, key: str, minute: int) -> int:
        """Count one request of `key` and return how many there are in this minute."""
        name = f"rate:{minute}:{key}"
        try:
            cache.add(name, 0, timeout=2 * WINDOW)
            return cache.incr(name)
        except Exception as error:
            logger.warning("rate limit not counted", extra={"fields": {"error": str(error)}})
            return 0


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether a request may pass, and what its caller is told about the limit."""

    limit: int
    count: int
    reset: int

    @property
    def is_refused(self) -> bool:
        """True past the limit."""
        return self.count > self.limit

    def headers(self) -> dict[str, str]:
        """Return the headers of the answer."""
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(max(0, self.limit - self.count)),
            "X-RateLimit-Reset": str(self.reset),
        }


class RateLimit:
    """Answers 429 with `Retry-After` past NEOTAVERN_RATE_LIMIT requests a minute on API paths."""

    latest: ClassVar[RateLimit | None] = None
    """The one of this process, for the short way of renders, which counts with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        shared = "redis" in settings.CACHES["default"]["BACKEND"]
        self.counter: MinuteCounter | SharedCounter = SharedCounter() if shared else MinuteCounter()
        RateLimit.latest = self

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, or 429."""
        if not settings.RATE_LIMIT or not _is_counted(request.path):
            return self.get_response(request)
        admission = self.admit(request.META.get("HTTP_AUTHORIZATION", ""), client_address(request))
        if admission.is_refused:
            response: HttpResponseBase = error_response(_refusal(admission.limit, admission.reset))
        else:
            response = self.get_response(request)
        for name, value in admission.headers().items():
            response[name] = value
        return response

    def admit(self, authorization: str, address: str) -> Admission:
        """Count a request of a key, or of an address without one, and return whether it may pass."""
        now = int(time.time())  # noqa: TID251 - the roof may read the clock
        minute, passed = divmod(now, WINDOW)
        caller = hashlib.sha256(authorization.encode()).hexdigest() if authorization else address
        return Admission(settings.RATE_LIMIT, self.counter.add(caller, minute), WINDOW - passed)


def _is_counted(path: str) -> bool:
    return (path.startswith("/api/") or path == "/apply-template") and path not in UNLIMITED


def _refusal(limit: int, reset: int) -> AppError:
    message = f"More than {limit} requests in this minute. Try again in {reset} seconds."
    return AppError(ErrorCode.RATE_LIMITED, message, params={"limit": limit, "retryAfter": reset})
