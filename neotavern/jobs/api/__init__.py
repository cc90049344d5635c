"""/jobs: what the team waits for, how far it is, calling it off, trying again."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest
from ninja import Query, Router

from neotavern.accounts import permissions
from neotavern.accounts.actor import Actor
from neotavern.accounts.auth import ApiRequest
from neotavern.ground.http import ERRORS
from neotavern.ground.limits import MAX_PAGE_SIZE, PAGE_SIZE
from neotavern.ground.wire import WireModel
from neotavern.jobs import selectors, services
from neotavern.jobs.shapes import JobOut, JobPage, shape

router = Router(tags=["Jobs"], by_alias=True)


class JobQuery(WireModel):
    """What to show."""

    kind: str = ""
    subject: str = ""
    open: bool | None = None
    cursor: int | None = None
    limit: int = PAGE_SIZE


@router.get("/jobs", response={200: JobPage, **ERRORS(403, 422)})
def list_jobs(request: HttpRequest, query: Query[JobQuery]) -> Any:
    """Return a page of the team's jobs, newest first."""
    found = selectors.jobs(_actor(request, "read"), kind=query.kind, subject=query.subject, is_open=query.open)
    if query.cursor is not None:
        found = found.filter(pk__lt=max(0, min(query.cursor, 2**63 - 1)))
    limit = max(1, min(query.limit, MAX_PAGE_SIZE))
    rows = list(found[: limit + 1])
    cursor = str(rows[limit - 1].pk) if len(rows) > limit else None
    return JobPage(items=[shape(row) for row in rows[:limit]], next_cursor=cursor)


@router.get("/jobs/{int:job_id}", response={200: JobOut, **ERRORS(403, 404)})
def read_job(request: HttpRequest, job_id: int) -> Any:
    """Return one job."""
    return shape(selectors.job(_actor(request, "read"), job_id))


@router.post("/jobs/{int:job_id}/cancel", response={200: JobOut, **ERRORS(403, 404, 409)})
def cancel_job(request: HttpRequest, job_id: int) -> Any:
    """Call a job off; what it has done stays."""
    actor = _actor(request, "write")
    return shape(services.cancel(actor, selectors.job(actor, job_id)))


@router.post("/jobs/{int:job_id}/retry", response={200: JobOut, **ERRORS(403, 404, 409)})
def retry_job(request: HttpRequest, job_id: int) -> Any:
    """Let a job that failed or was called off run again."""
    actor = _actor(request, "write")
    return shape(services.retry(actor, selectors.job(actor, job_id)))


def _actor(request: HttpRequest, action: permissions.Action) -> Actor:
    """Return the caller, who may do `action`."""
    actor = cast(ApiRequest, request).actor
    permissions.require(actor, action)
    return actor
