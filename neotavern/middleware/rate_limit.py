"""Requests a minute for one API key, or for one address without a key; counted in Redis when it is there."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponseBase

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


class RateLimit:
    """Answers 429 with `Retry-After` past NEOTAVERN_RATE_LIMIT requests a minute on API paths."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        shared = "redis" in settings.CACHES["default"]["BACKEND"]
        self.counter: MinuteCounter | SharedCounter = SharedCounter() if shared else MinuteCounter()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, or 429."""
        limit = settings.RATE_LIMIT
        if not limit or not _is_counted(request.path):
            return self.get_response(request)
        now = int(time.time())  # noqa: TID251 - the roof may read the clock
        minute, passed = divmod(now, WINDOW)
        count = self.counter.add(_caller(request), minute)
        reset = WINDOW - passed
        if count > limit:
            response: HttpResponseBase = error_response(_refusal(limit, reset))
        else:
            response = self.get_response(request)
        response["X-RateLimit-Limit"] = str(limit)
        response["X-RateLimit-Remaining"] = str(max(0, limit - count))
        response["X-RateLimit-Reset"] = str(reset)
        return response


def _is_counted(path: str) -> bool:
    return (path.startswith("/api/") or path == "/apply-template") and path not in UNLIMITED


def _caller(request: HttpRequest) -> str:
    authorization: str = request.META.get("HTTP_AUTHORIZATION", "")
    if authorization:
        return hashlib.sha256(authorization.encode()).hexdigest()
    return str(request.META.get("REMOTE_ADDR", ""))


def _refusal(limit: int, reset: int) -> AppError:
    message = f"More than {limit} requests in this minute. Try again in {reset} seconds."
    return AppError(ErrorCode.RATE_LIMITED, message, params={"limit": limit, "retryAfter": reset})
