"""Writes down when a key was last used: at most once a minute, and never at the cost of the request."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, connection, transaction

LOG = logging.getLogger("neotavern.keys")
TOUCH_EVERY = timedelta(minutes=1)


def touch(key_id: int, last_used_at: datetime | None, now: datetime) -> None:
    """Write down that a key was used, at most once a minute; a failure is logged and never fails the request."""
    if last_used_at is not None and now - last_used_at < TOUCH_EVERY:
        return
    try:
        _write(key_id, now)
    except DatabaseError as error:
        LOG.warning("last use of key %s was not written: %s", key_id, error)


def _write(key_id: int, now: datetime) -> None:
    """Update the row; on SQLite without waiting for another writer, who may hold the lock for long."""
    if connection.in_atomic_block:
        with transaction.atomic():  # a failure must not spoil the caller's transaction
            _update(key_id, now)
        return
    impatient = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        if impatient:
            cursor.execute("PRAGMA busy_timeout = 0")
        try:
            _update(key_id, now)
        finally:
            if impatient:
                timeout = connection.settings_dict.get("OPTIONS", {}).get("timeout", 5)
                cursor.execute(f"PRAGMA busy_timeout = {int(timeout * 1000)}")


def _update(key_id: int, now: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE accounts_apikey SET last_used_at = %s"
            " WHERE id = %s AND (last_used_at IS NULL OR last_used_at <= %s)",
            [_stored_time(now), key_id, _stored_time(now - TOUCH_EVERY)],
        )


def _stored_time(value: datetime) -> Any:
    """Return a time in the form that the database's adapter stores it."""
    return connection.ops.adapt_datetimefield_value(value)
