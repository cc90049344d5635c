"""Puts jobs into the queue of django-tasks-db, and clears away what is done."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from neotavern.jobs import kinds
from neotavern.jobs.models import OPEN, Job

KEPT: Final = timedelta(days=30)
"""Finished jobs are shown for so long."""


def put(job: Job, *, after: timedelta = timedelta(0)) -> None:
    """Let a worker run `job`, not before `after` has passed."""
    from neotavern.jobs.tasks import run_job

    kind = kinds.get(job.kind)
    task = run_job.using(
        queue_name=kind.queue if kind is not None else kinds.QUEUE,
        run_after=timezone.now() + after if after else None,
    )
    Job.objects.filter(pk=job.pk).update(task_id=task.enqueue(job.pk).id)


def tidy() -> None:
    """Forget what ended long ago, here and in the queue."""
    from django_tasks_db.models import DBTaskResult

    before = timezone.now() - KEPT
    Job.objects.filter(finished_at__lt=before).exclude(state__in=OPEN).delete()
    DBTaskResult.objects.finished().filter(finished_at__lt=timezone.now() - timedelta(days=1)).delete()
    DBTaskResult.objects.running().filter(started_at__lt=before).delete()  # of workers that were killed
