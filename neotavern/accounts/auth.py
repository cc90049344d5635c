"""How an API request says who it is: a bearer key, or the session of a logged-in browser with its CSRF token."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja.security.base import AuthBase
from ninja.utils import check_csrf

from neotavern.accounts import selectors
from neotavern.accounts.actor import Actor
from neotavern.accounts.models import User
from neotavern.ground.errors import AppError, ErrorCode

SESSION_TEAM = "team"
"""Session key of the team that the browser works in."""


class ApiRequest(HttpRequest):
    """What operations get: `actor` after KeyOrSession, `token` after KeyNoted (None for a browser)."""

    actor: Actor
    token: str | None
    request_id: str


def unauthenticated() -> AppError:
    """Return the 401 that a missing, unknown, revoked and expired key share."""
    return AppError(ErrorCode.UNAUTHENTICATED, "Send a valid API key as `Authorization: Bearer nt_…`, or log in.")


def bearer(request: HttpRequest) -> str | None:
    """Return the token of the Authorization header, or None."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def session_actor(request: HttpRequest) -> Actor:
    """Return the logged-in member behind the session. Raises UNAUTHENTICATED, or FORBIDDEN without a CSRF token."""
    user = request.user
    if not isinstance(user, User):
        raise unauthenticated()
    if check_csrf(request) is not None:
        raise AppError(ErrorCode.FORBIDDEN, "The CSRF token is missing or wrong: send it as X-CSRFToken.")
    actor = selectors.member_actor(
        user, request.session.get(SESSION_TEAM), request_id=getattr(request, "request_id", "")
    ) or selectors.member_actor(user, None, request_id=getattr(request, "request_id", ""))
    if actor is None:
        raise AppError(ErrorCode.FORBIDDEN, "You are not a member of any team: ask for an invitation.")
    return actor


def identify(request: HttpRequest) -> Actor:
    """Return the caller of any request, by key or session. Raises UNAUTHENTICATED."""
    token = bearer(request)
    if token is None:
        return session_actor(request)
    actor = selectors.key_actor(token, request_id=getattr(request, "request_id", ""))
    if actor is None:
        raise unauthenticated()
    return actor


class KeyOrSession(AuthBase):
    """Checks the caller before the body is read and leaves it in `request.actor`."""

    openapi_type = "http"
    openapi_scheme = "bearer"

    def __call__(self, request: HttpRequest) -> Any:
        """Return the actor; ninja goes on only with a truthy answer."""
        actor = identify(request)
        request.actor = actor  # type: ignore[attr-defined]
        return actor


class KeyNoted(AuthBase):
    """For the hot operations: only notes the key, since their one query checks it together with what they read.

    A browser's session is checked at once and leaves `request.actor`. When the body turns out to be bad, the API's
    error handler checks the noted key first, so a caller without a good key gets 401 and learns nothing.
    """

    openapi_type = "http"
    openapi_scheme = "bearer"

    def __call__(self, request: HttpRequest) -> Any:
        """Return True: the check itself comes with the operation's query."""
        token = bearer(request)
        request.token = token  # type: ignore[attr-defined]
        if token is None:
            request.actor = session_actor(request)  # type: ignore[attr-defined]
        return True
