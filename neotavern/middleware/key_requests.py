"""Programs with a key go straight to their operation: sessions, languages, messages and page policies are for browsers.

What stands in front still holds for them: request log, security headers, body limit, rate limit, errors of the method.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import ResolverMatch, resolve
from django.utils import translation

API_PREFIX = "/api/"
ROOT_ADDRESSES = frozenset({"/apply-template"})


class KeyRequests:
    """Answers a request of the API that carries a bearer key; all others go on to the middleware for browsers."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request. Unknown addresses are answered as everywhere else."""
        path = request.path_info
        if not (path.startswith(API_PREFIX) or path in ROOT_ADDRESSES) or not _has_key(request):
            return self.get_response(request)
        request.get_host()  # refuses a host that is not ours
        translation.deactivate()  # the page that this thread served before may have been in another language
        match = _match(path, settings.ROOT_URLCONF)
        request.resolver_match = match
        response: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
        if isinstance(response, HttpResponse) and "Content-Length" not in response.headers:
            response.headers["Content-Length"] = str(len(response.content))
        return response


@functools.lru_cache(maxsize=512)
def _match(path: str, urlconf: str) -> ResolverMatch:
    """Return the operation at `path`; the programs of a team ask for few addresses, again and again."""
    return resolve(path, urlconf)


def _has_key(request: HttpRequest) -> bool:
    authorization: str = request.META.get("HTTP_AUTHORIZATION", "")
    return authorization[:7].lower() == "bearer "
