"""A wrong method on an API address: the contract's error body in place of ninja's empty 405."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed

from neotavern.ground.errors import AppError, ErrorCode
from neotavern.middleware.answers import error_response


class MethodErrors:
    """Rewrites 405 under /api/ and at the root's API addresses; pages keep Django's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        response = self.get_response(request)
        if not isinstance(response, HttpResponseNotAllowed) or request.path.startswith("/t/"):
            return response
        allowed = sorted(method.strip() for method in response["Allow"].split(","))
        message = f"{request.method} is not possible here: use {' or '.join(allowed)}."
        answer = error_response(AppError(ErrorCode.METHOD_NOT_ALLOWED, message, params={"allow": allowed}))
        answer["Allow"] = ", ".join(allowed)
        return answer
