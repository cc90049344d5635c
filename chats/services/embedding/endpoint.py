"""An OpenAI-compatible embeddings service: one address that an operator named, no redirects, bounded time and size."""

from __future__ import annotations

import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Final

import orjson

from chats.infill.semantic.ports import EmbedderFailed
from neotavern.ground.embeddings_env import Embeddings

if TYPE_CHECKING:
    from chats.infill.semantic.ports import Matrix

BATCH: Final = 32
LARGEST_ANSWER: Final = 32 * 1024 * 1024
REST_SECONDS: Final = 30.0
"""After a failure nothing is asked for so long: renders do not queue up behind a service that hangs."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would lead past the list of allowed hosts."""

    def redirect_request(self, *_args: Any, **_more: Any) -> None:
        return None


class Endpoint:
    """Makes vectors by asking. Safe for threads."""

    def __init__(self, settings: Embeddings) -> None:
        self._settings = settings
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects)
        self._lock = threading.Lock()
        self._rests_until = 0.0

    def __call__(self, texts: Sequence[str], is_query: bool) -> Matrix:
        """Return the vectors of `texts`. Raises EmbedderFailed with one line that names no secret."""
        import numpy as np

        parts = [self._batch(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]
        try:
            made: Matrix = np.asarray([row for part in parts for row in part], dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise EmbedderFailed("The embeddings service answered vectors of different sizes") from error
        if made.ndim != 2 or not made.shape[1] or not np.isfinite(made).all():
            raise EmbedderFailed("The embeddings service answered something that is no list of vectors")
        return made

    def _batch(self, texts: Sequence[str]) -> list[Any]:
        with self._lock:
            rests = self._rests_until - time.monotonic()
        if rests > 0:
            raise EmbedderFailed(f"The embeddings service failed and is asked again in {int(rests) + 1} seconds")
        try:
            return _rows(self._answer(texts), len(texts))
        except EmbedderFailed:
            with self._lock:
                self._rests_until = time.monotonic() + REST_SECONDS
            raise

    def _answer(self, texts: Sequence[str]) -> bytes:
        body = {"model": self._settings.model, "input": [text or " " for text in texts], "encoding_format": "float"}
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._settings.key:
            headers["Authorization"] = f"Bearer {self._settings.key}"
        request = urllib.request.Request(self._settings.url, orjson.dumps(body), headers)  # noqa: S310 - checked at start
        try:
            with self._opener.open(request, timeout=self._settings.timeout) as answer:
                found: bytes = answer.read(LARGEST_ANSWER + 1)
        except urllib.error.HTTPError as error:
            raise EmbedderFailed(f"The embeddings service answered {error.code}") from None
        except TimeoutError:
            raise EmbedderFailed(f"The embeddings service took more than {self._settings.timeout} seconds") from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise EmbedderFailed(f"The embeddings service can not be reached: {reason}") from None
        if len(found) > LARGEST_ANSWER:
            raise EmbedderFailed("The embeddings service answered more than 32 MiB")
        return found


def _rows(answer: bytes, count: int) -> list[Any]:
    try:
        listed = orjson.loads(answer)["data"]
        rows = [one["embedding"] for one in sorted(listed, key=lambda one: one["index"])]
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise EmbedderFailed("The embeddings service answered something that is no list of vectors") from error
    if len(rows) != count:
        raise EmbedderFailed(f"The embeddings service answered {len(rows)} vectors for {count} texts")
    return rows
