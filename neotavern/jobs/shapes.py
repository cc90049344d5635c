"""A job as the API and the pages tell of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import orjson

from neotavern.ground.wire import WireModel
from neotavern.jobs.models import Job


class JobOut(WireModel):
    """One job. `done` of `total` parts; `total` 0: not known yet."""

    id: int
    kind: str
    subject: str
    state: str
    done: int
    total: int
    result: dict[str, Any]
    error: str
    attempts: int
    made_by: str
    created_at: datetime
    finished_at: datetime | None


class JobPage(WireModel):
    """Some jobs, newest first."""

    items: list[JobOut]
    next_cursor: str | None


def shape(job: Job) -> JobOut:
    """Return the wire form."""
    return JobOut(
        id=job.pk,
        kind=job.kind,
        subject=job.subject,
        state=job.state,
        done=job.done,
        total=job.total,
        result=orjson.loads(job.result),
        error=job.error,
        attempts=job.attempts,
        made_by=job.made_by,
        created_at=job.created_at,
        finished_at=job.finished_at,
    )
