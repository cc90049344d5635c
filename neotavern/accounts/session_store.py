"""Sessions in the database, of no use to a thief of it: rows are found by a digest of the cookie, data is sealed.

`session_key` stays what the browser's cookie holds. Tables (ours and allauth's list of sessions) hold `row_key` of it.
"""

from __future__ import annotations

import hashlib
from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from neotavern.accounts import secret_box

ROW_KEY_LENGTH = 40
"""Cookies have 32 characters, so the two can not be taken for each other."""


def row_key(session_key: str) -> str:
    """Return under which key the table keeps the session of a cookie."""
    return hashlib.sha256(session_key.encode("utf-8")).hexdigest()[:ROW_KEY_LENGTH]


def _row_key_of(key: str) -> str:
    """Accept both forms: asking whether a row is there, or ending it, gives nothing away."""
    return key if len(key) == ROW_KEY_LENGTH else row_key(key)


class SessionStore(DatabaseSessionStore):
    """Django's store with digested keys and sealed data. The application is synchronous, so are the methods."""

    def _get_session_from_db(self) -> Session | None:
        # always through the digest: a row key out of a stolen table, sent as a cookie, finds nothing
        key = self.session_key
        rows = Session.objects.filter(session_key=row_key(key or ""), expire_date__gt=timezone.now())
        row = rows.first() if key else None
        if row is None:
            self._session_key = None
        return row

    def exists(self, session_key: str) -> bool:
        """Return whether there is a session with this cookie or row key."""
        return super().exists(_row_key_of(session_key))

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """Return the row of this session."""
        return Session(
            session_key=row_key(self._get_or_create_session_key()),  # type: ignore[attr-defined]  # not in the stubs
            session_data=self.encode(data),
            expire_date=self.get_expiry_date(),
        )

    def delete(self, session_key: str | None = None) -> None:
        """End the session with this cookie or row key, or this one."""
        key = session_key or self.session_key
        if key:
            super().delete(_row_key_of(key))

    def encode(self, session_dict: dict[str, Any]) -> str:
        """Return the data for the table."""
        return secret_box.seal(super().encode(session_dict))

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        """Return the data out of the table; nothing when it was sealed with another secret key."""
        try:
            return super().decode(secret_box.unseal(str(session_data)))
        except ValueError:
            return {}
