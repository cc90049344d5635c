"""The browsers that a person is logged in with: listed, and ended from elsewhere. Rows are django-allauth's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from allauth.usersessions.apps import UserSessionsConfig
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

if TYPE_CHECKING:
    from neotavern.accounts.models import User

SEEN_EVERY = timedelta(minutes=5)
SEEN = "seen"
"""Session key of the time when the list was last told that this browser is in use."""


class SessionsConfig(UserSessionsConfig):  # type: ignore[misc]  # allauth has no types
    """allauth's list of sessions, fed by us: it would keep the cookies' values, and those open the sessions."""

    def ready(self) -> None:
        """Note the sessions that log-in makes."""
        from allauth.account.signals import user_logged_in

        user_logged_in.connect(_on_logged_in, dispatch_uid="neotavern.sessions")


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """One browser, as the person sees it."""

    id: int
    address: str
    browser: str
    since: datetime
    seen: datetime
    is_this: bool


class _Row:
    """What allauth reads of a session: the key under which the table keeps it."""

    def __init__(self, key: str) -> None:
        self.session_key = key


def _model() -> Any:
    from allauth.usersessions.models import UserSession

    return UserSession


def _key(request: HttpRequest) -> str:
    from neotavern.accounts.session_store import row_key

    if not request.session.session_key:
        request.session.save()
    return row_key(request.session.session_key or "")


def note(request: HttpRequest, user: User) -> None:
    """Write down that `user` uses this browser's session now."""
    _model().objects.create_from_request(request, user=user, session=_Row(_key(request)))
    request.session[SEEN] = timezone.now().isoformat()


def see(request: HttpRequest, user: User) -> None:
    """Note the session again when the last time is long ago."""
    seen = request.session.get(SEEN)
    if seen is None or timezone.now() - datetime.fromisoformat(seen) > SEEN_EVERY:
        note(request, user)


def _on_logged_in(sender: Any, *, request: HttpRequest, user: User, **rest: Any) -> None:
    note(request, user)


def of(request: HttpRequest, user: User) -> list[BrowserSession]:
    """Return the live sessions of `user`, this one first, then by last use. Rows of ended ones are cleared away."""
    from django.contrib.sessions.models import Session

    rows = list(_model().objects.filter(user_id=user.pk))
    keys = {row.session_key for row in rows}
    live = set(
        Session.objects.filter(pk__in=keys, expire_date__gt=timezone.now()).values_list("session_key", flat=True)
    )
    _model().objects.filter(pk__in=[row.pk for row in rows if row.session_key not in live]).delete()
    here = _key(request)
    found = [
        BrowserSession(
            id=row.pk,
            address=row.ip,
            browser=row.user_agent,
            since=row.created_at,
            seen=row.last_seen_at,
            is_this=row.session_key == here,
        )
        for row in rows
        if row.session_key in live
    ]
    return sorted(found, key=lambda one: (one.is_this, one.seen), reverse=True)


def end_others(request: HttpRequest, user: User) -> int:
    """Log `user` out everywhere but here and return in how many browsers."""
    here = _key(request)
    return _end(row for row in _model().objects.filter(user_id=user.pk) if row.session_key != here)


def end(request: HttpRequest, user: User, session_id: int) -> bool:
    """Log `user` out of another browser; False when there is no such session of theirs."""
    here = _key(request)
    rows = _model().objects.filter(user_id=user.pk, pk=session_id).exclude(session_key=here)
    return _end(rows) == 1


@transaction.atomic
def _end(rows: Iterable[Any]) -> int:
    from neotavern.accounts.session_store import SessionStore

    ended = 0
    for row in rows:
        SessionStore().delete(row.session_key)
        row.delete()
        ended += 1
    return ended
