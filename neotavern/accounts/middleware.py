"""Keeps the list of a person's browsers up to date; programs with a key never come here."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from neotavern.accounts import sessions
from neotavern.accounts.models import User


class SessionsSeen:
    """Notes, at most every five minutes, that a logged-in browser is in use."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request. Without a cookie there is nobody, and nothing is asked of the database."""
        if settings.SESSION_COOKIE_NAME in request.COOKIES and isinstance(request.user, User):
            sessions.see(request, request.user)
        return self.get_response(request)
