"""Runs one job: heartbeats, progress, another try after errors that may pass, and what came of it."""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from typing import Final

import orjson
from django.db import close_old_connections, connection
from django.utils import timezone

from neotavern.jobs import kinds, queue
from neotavern.jobs.kinds import Cancelled
from neotavern.jobs.models import Job, State

logger = logging.getLogger("neotavern.jobs")

BEAT_SECONDS: Final = 2
"""Between two notes of how far a job is."""

STALE: Final = timedelta(seconds=90)
"""A running job that said nothing for so long has lost its worker."""

TRIES: Final = 4
PAUSES: Final = (timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=10))
"""Before the second, third and fourth try."""

LONGEST_ERROR: Final = 2_000


def run(job_id: int) -> None:
    """Run the job, unless somebody else does, or it was called off."""
    job = _claimed(job_id)
    if job is None:
        return
    kind = kinds.get(job.kind)
    if kind is None:
        _finish(job, State.FAILED, error=f"This version knows no jobs of the kind {job.kind!r}.")
        return
    try:
        result = kind.run(job.team_id, orjson.loads(job.payload), _Beat(job))
    except Cancelled:
        return
    except kind.again as error:
        _later(job, error)
    except Exception as error:
        logger.exception("job failed", extra={"job": job.pk})
        _finish(job, State.FAILED, error=f"{type(error).__name__}: {error}")
    else:
        _finish(job, State.DONE, result=result)


def rescue() -> int:
    """Put jobs whose worker is gone back into the queue; return how many. One tried often enough has failed."""
    now = timezone.now()
    stale = Job.objects.filter(state=State.RUNNING, heartbeat_at__lt=now - STALE)
    rescued = 0
    for job in stale:
        held = Job.objects.filter(pk=job.pk, state=State.RUNNING, heartbeat_at=job.heartbeat_at)
        if job.attempts >= TRIES:
            held.update(state=State.FAILED, error="Its worker ended without a word, every time.", finished_at=now)
        elif held.update(heartbeat_at=now):
            _requeue(job, timedelta(0), "Its worker ended without a word.")
            rescued += 1
    return rescued


def _claimed(job_id: int) -> Job | None:
    """Return the job as running here, None where it is not waiting any more."""
    now = timezone.now()
    waiting = Job.objects.filter(pk=job_id, state=State.WAITING)
    if not waiting.update(state=State.RUNNING, heartbeat_at=now, error=""):
        return None
    job = Job.objects.get(pk=job_id)
    job.attempts += 1
    job.save(update_fields=["attempts"])
    return job


def _later(job: Job, error: Exception) -> None:
    if job.attempts >= TRIES:
        _finish(job, State.FAILED, error=str(error))
        return
    _requeue(job, PAUSES[min(job.attempts, len(PAUSES)) - 1], str(error))


def _requeue(job: Job, pause: timedelta, error: str) -> None:
    """Make the job wait again; an equal one that waits already takes over."""
    twin = Job.objects.filter(team_id=job.team_id, kind=job.kind, subject=job.subject, state=State.WAITING)
    if twin.exists():
        _finish(job, State.CANCELLED, error=f"{error} A newer one does it.")
        return
    changes = {"state": State.WAITING, "error": error[:LONGEST_ERROR], "heartbeat_at": None}
    if Job.objects.filter(pk=job.pk, state=State.RUNNING).update(**changes):
        queue.put(job, after=pause)


def _finish(job: Job, state: State, *, result: object = None, error: str = "") -> None:
    changes = {"state": state, "error": error[:LONGEST_ERROR], "finished_at": timezone.now(), "heartbeat_at": None}
    if result is not None:
        changes["result"] = orjson.dumps(result).decode()
    Job.objects.filter(pk=job.pk, state=State.RUNNING).update(**changes)


class _Beat:
    """Writes down how far a job is, seldom enough to cost nothing."""

    def __init__(self, job: Job) -> None:
        self._job_id, self._next, self._seen = job.pk, 0.0, (-1, -1)

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        is_last = done >= total and self._seen != (done, total)
        if now < self._next and not is_last:
            return
        self._next, self._seen = now + BEAT_SECONDS, (done, total)
        if not connection.in_atomic_block:
            close_old_connections()
        beating = Job.objects.filter(pk=self._job_id, state=State.RUNNING)
        if not beating.update(done=done, total=total, heartbeat_at=timezone.now()):
            raise Cancelled
