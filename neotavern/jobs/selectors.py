"""Reads of jobs: a team's own, newest first."""

from __future__ import annotations

from django.db.models import QuerySet

from neotavern.accounts.actor import Actor
from neotavern.ground.errors import not_found
from neotavern.jobs.models import OPEN, Job


def jobs(actor: Actor, *, kind: str = "", subject: str = "", is_open: bool | None = None) -> QuerySet[Job]:
    """Return the jobs of the caller's team, newest first."""
    found = Job.objects.filter(team_id=actor.team_id).order_by("-id")
    if kind:
        found = found.filter(kind=kind)
    if subject:
        found = found.filter(subject=subject)
    if is_open is not None:
        found = found.filter(state__in=OPEN) if is_open else found.exclude(state__in=OPEN)
    return found


def job(actor: Actor, job_id: int) -> Job:
    """Return a job of the caller's team. Raises NOT_FOUND."""
    found = jobs(actor).filter(pk=job_id).first() if 0 < job_id < 2**63 else None
    if found is None:
        raise not_found("This job", job=str(job_id)[:40])
    return found
