"""Request bodies: a limit for all paths but the streaming ones; chunked uploads, which Django alone takes for empty."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from neotavern.ground.errors import AppError, ErrorCode
from neotavern.ground.limits import MAX_BODY_BYTES
from neotavern.middleware.answers import error_response

STREAMED_PATHS = frozenset({"/api/v1/render/batch"})
"""Paths that read their body piece by piece and know their own limits."""


def too_large() -> AppError:
    """Return the 413."""
    message = f"The body is larger than {MAX_BODY_BYTES:,} bytes. Send many conversations to /render/batch instead."
    return AppError(ErrorCode.PAYLOAD_TOO_LARGE, message, params={"limit": MAX_BODY_BYTES})


class ChunkedBody:
    """A body without a known length: reads at most `limit` bytes and raises PAYLOAD_TOO_LARGE past them."""

    def __init__(self, stream: Any, limit: int) -> None:
        self._stream = stream
        self._left = limit

    def read(self, size: int = -1, /) -> bytes:
        """Return up to `size` bytes (all when negative)."""
        wanted = self._left + 1 if size < 0 else min(size, self._left + 1)
        return self._counted(self._stream.read(wanted))

    def readline(self, size: int = -1, /) -> bytes:
        """Return one line."""
        wanted = self._left + 1 if size < 0 else min(size, self._left + 1)
        return self._counted(self._stream.readline(wanted))

    def close(self) -> None:
        """Do nothing: the stream is the server's. Django closes what it has read."""

    def _counted(self, chunk: bytes) -> bytes:
        self._left -= len(chunk)
        if self._left < 0:
            raise too_large()
        return chunk


class BodyLimit:
    """Refuses a body that says it is too large before it is read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, or 413."""
        if request.path in STREAMED_PATHS:
            return self.get_response(request)
        length = request.META.get("CONTENT_LENGTH") or ""
        if length.isdecimal():
            if int(length) > MAX_BODY_BYTES:
                return error_response(too_large())
        elif "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower():
            # Django takes a missing Content-Length for an empty body; the server has already undone the chunking
            request._stream = ChunkedBody(request.META["wsgi.input"], MAX_BODY_BYTES)  # type: ignore[assignment]
        return self.get_response(request)
