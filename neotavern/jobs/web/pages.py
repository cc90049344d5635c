"""The team's jobs: how far each is; it looks again by itself while one is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from neotavern.accounts import permissions
from neotavern.accounts.actor import Actor
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError
from neotavern.ground.limits import PAGE_SIZE
from neotavern.jobs import kinds, selectors, services
from neotavern.jobs.models import Job, State


@require_GET
@team_page()
def jobs(request: PageRequest, team: str) -> HttpResponse:
    """Show the newest jobs, or those before `cursor`."""
    cursor = request.GET.get("cursor", "")
    found = selectors.jobs(request.actor)
    if cursor.isascii() and cursor.isdigit() and len(cursor) < 19:
        found = found.filter(pk__lt=int(cursor))
    rows = list(found[: PAGE_SIZE + 1])
    context: dict[str, Any] = {
        "jobs": [row(job) for job in rows[:PAGE_SIZE]],
        "older": rows[PAGE_SIZE - 1].pk if len(rows) > PAGE_SIZE else None,
        "is_open": any(job.is_open for job in rows),
        "is_newest": not cursor,
        "may_write": permissions.may(request.actor, "write"),
        "section": "team",
        "tab": "jobs",
    }
    return render(request, "jobs/_jobs.html" if request.headers.get("HX-Request") else "jobs/jobs.html", context)


@require_POST
@team_page("write")
def cancel(request: PageRequest, team: str, job_id: int) -> HttpResponse:
    """Call a job off."""
    return _done(request, team, services.cancel, job_id, _("The job was called off. What it has done stays."))


@require_POST
@team_page("write")
def retry(request: PageRequest, team: str, job_id: int) -> HttpResponse:
    """Let a job run again."""
    return _done(request, team, services.retry, job_id, _("The job waits for a worker again."))


def _done(request: PageRequest, team: str, act: Callable[[Actor, Job], Job], job_id: int, said: str) -> HttpResponse:
    try:
        act(request.actor, selectors.job(request.actor, job_id))
    except AppError as error:
        if error.status != 409:
            raise
        messages.error(request, error.message)
    else:
        messages.success(request, said)
    return redirect("jobs", team)


def row(job: Job) -> dict[str, Any]:
    """Return what a template shows of a job; `percent` is None where nobody knows the whole."""
    kind = kinds.get(job.kind)
    return {
        "job": job,
        "title": kind.title if kind is not None else job.kind,
        "state": STATES[State(job.state)](),
        "percent": min(100, 100 * job.done // job.total) if job.total else None,
        "may_cancel": job.is_open,
        "may_retry": job.state in (State.FAILED, State.CANCELLED),
    }


STATES: dict[State, Callable[[], str]] = {
    State.WAITING: lambda: _("waits for a worker"),
    State.RUNNING: lambda: _("is being done"),
    State.DONE: lambda: _("done"),
    State.FAILED: lambda: _("failed"),
    State.CANCELLED: lambda: _("called off"),
}
