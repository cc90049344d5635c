"""Writes: jobs that are asked for, called off, tried again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from django.db import IntegrityError, transaction
from django.utils import timezone

from neotavern.accounts import audit, permissions
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import AppError, ErrorCode
from neotavern.jobs import queue
from neotavern.jobs.models import Job, State


def ask(team_id: int, kind: str, *, subject: str = "", payload: Mapping[str, Any], made_by: str = "") -> Job:
    """Return the job of this kind and subject that waits, made if there is none: one is enough for any number of
    changes. A job that runs already does not count, since it may have read what has changed since."""
    waiting = Job.objects.filter(team_id=team_id, kind=kind, subject=subject, state=State.WAITING)
    found = waiting.first()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            job = Job.objects.create(
                team_id=team_id,
                kind=kind,
                subject=subject,
                payload=orjson.dumps(payload).decode(),
                made_by=made_by,
                created_at=timezone.now(),
            )
            queue.put(job)
    except IntegrityError:
        return waiting.get()
    return job


def cancel(actor: Actor, job: Job) -> Job:
    """Call a job off; what it has done stays. Raises FORBIDDEN, and CONFLICT for one that has ended."""
    permissions.require(actor, "write")
    changes = {"state": State.CANCELLED, "finished_at": timezone.now(), "heartbeat_at": None}
    if not Job.objects.filter(pk=job.pk, state__in=(State.WAITING, State.RUNNING)).update(**changes):
        raise _ended(job, "It has ended already.")
    return _told(actor, job, "job.cancel")


def retry(actor: Actor, job: Job) -> Job:
    """Let a job that failed or was called off run again. Raises FORBIDDEN, and CONFLICT for any other."""
    permissions.require(actor, "write")
    again = Job.objects.filter(pk=job.pk, state__in=(State.FAILED, State.CANCELLED))
    changes = {"state": State.WAITING, "attempts": 0, "error": "", "done": 0, "finished_at": None}
    try:
        with transaction.atomic():
            if not again.update(**changes):
                raise _ended(job, "It has not failed.")
            queue.put(job)
    except IntegrityError:
        raise _ended(job, "Another one of the same kind waits already.") from None
    return _told(actor, job, "job.retry")


def _told(actor: Actor, job: Job, action: str) -> Job:
    audit.record(actor, action, item_kind="job", item_slug=job.subject[:128], after=f"{job.kind} {job.pk}")
    job.refresh_from_db()
    return job


def _ended(job: Job, message: str) -> AppError:
    job.refresh_from_db()
    return AppError(ErrorCode.CONFLICT, message, params={"state": job.state})
