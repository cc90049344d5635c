"""The caller of a hot operation, as `answer` takes it."""

from __future__ import annotations

from chats.services.callers import ActorCaller, Caller, TokenCaller
from neotavern.accounts.auth import ApiRequest


def caller_of(request: ApiRequest) -> Caller:
    """Return the noted key, which nobody has checked yet, or the member behind the session."""
    return TokenCaller(request.token) if request.token is not None else ActorCaller(request.actor)
