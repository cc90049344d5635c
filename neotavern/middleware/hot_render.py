"""The short way of the one hot operation: a plain POST /render of a program, answered in front of Django's handler.

Only success is answered here. Whatever else comes of a request, Django gets it as if nothing had been tried, so every
refusal has one origin. The prompt is made by the same function either way.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from io import BytesIO
from time import perf_counter
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port, validate_host
from django.middleware.security import SecurityMiddleware

from neotavern.ground.limits import MAX_BODY_BYTES
from neotavern.middleware.rate_limit import RateLimit
from neotavern.middleware.request_log import log_request, request_id_of

PATH: Final = "/api/v1/render"
MEDIA: Final = "application/json"
BEARER: Final = "Bearer "

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


class HotRender:
    """A WSGI application in front of another."""

    def __init__(self, django: Application) -> None:
        self._django = django
        self._headers = _security_headers()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a plain render; give everything else to Django."""
        if environ["PATH_INFO"] != PATH or not _is_plain(environ):
            return self._django(environ, start_response)
        started = perf_counter()
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        answer = _answer(environ["HTTP_AUTHORIZATION"], body)
        limits = _limit_headers(environ) if answer is not None else None
        if answer is None or limits is None:
            environ["wsgi.input"] = BytesIO(body)
            return self._django(environ, start_response)
        request_id = request_id_of(environ.get("HTTP_X_REQUEST_ID", ""))
        own = [("Content-Type", MEDIA), ("Content-Length", str(len(answer))), ("X-Request-ID", request_id)]
        start_response("200 OK", [*own, *limits, *self._headers])
        log_request(request_id, "POST", PATH, status=200, started=started)
        return [answer]


def _is_plain(environ: Environ) -> bool:
    """Return whether it is a POST of JSON with a key and a known length, to a host of ours, without a query."""
    length = environ.get("CONTENT_LENGTH") or ""
    return (
        environ["REQUEST_METHOD"] == "POST"
        and environ.get("CONTENT_TYPE") == MEDIA
        and environ.get("HTTP_AUTHORIZATION", "").startswith(BEARER)
        and not environ.get("QUERY_STRING")
        and not environ.get("SCRIPT_NAME")
        and length.isdecimal()
        and int(length) <= MAX_BODY_BYTES
        and _is_our_host(environ.get("HTTP_HOST", ""), tuple(settings.ALLOWED_HOSTS))
        and not (settings.SECURE_SSL_REDIRECT or settings.SECURE_HSTS_SECONDS)
    )


@functools.lru_cache(maxsize=256)
def _is_our_host(host: str, allowed: tuple[str, ...]) -> bool:
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, allowed)


def _answer(authorization: str, body: bytes) -> bytes | None:
    """Return the answer, or None when there is something to refuse: Django will say what."""
    from chats.services.batch.run import read_request
    from chats.services.render import TokenCaller, answer
    from neotavern.ground.canonical import loads

    token = authorization[len(BEARER) :].strip()
    try:
        return answer(TokenCaller(token), read_request(loads(body))).body()
    except Exception:
        return None


def _limit_headers(environ: Environ) -> list[tuple[str, str]] | None:
    """Count the request and return what its caller is told, or None past the limit."""
    if not settings.RATE_LIMIT:
        return []
    limiter = RateLimit.latest
    if limiter is None:
        return None
    admission = limiter.admit(environ["HTTP_AUTHORIZATION"], environ.get("REMOTE_ADDR", ""))
    return None if admission.is_refused else list(admission.headers().items())


def _security_headers() -> list[tuple[str, str]]:
    """Return what the security middleware puts on every answer."""
    security = SecurityMiddleware(lambda request: HttpResponse())
    response = security.process_response(HttpRequest(), HttpResponse())
    return [(name, value) for name, value in response.headers.items() if name != "Content-Type"]
