"""Table of jobs: what teams wait for; the queue itself is django-tasks-db's. Fields and constraints only."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from neotavern.accounts.models import Team


class State(models.TextChoices):
    """Where a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


OPEN = (State.WAITING, State.RUNNING)


class Job(models.Model):
    """One piece of work. `subject` says of what, as `lorebook/house`; `payload` is what the work is given, as JSON.

    `heartbeat_at` is when its worker last said that it lives; `task_id` names the entry of the queue.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="jobs", db_index=False)
    kind = models.CharField(max_length=64)
    subject = models.CharField(max_length=300, blank=True)
    payload = models.TextField(default="{}")
    state = models.CharField(max_length=16, choices=State.choices, default=State.WAITING)
    done = models.IntegerField(default=0)
    total = models.IntegerField(default=0)
    result = models.TextField(default="{}")
    error = models.TextField(blank=True)
    attempts = models.IntegerField(default=0)
    made_by = models.CharField(max_length=150, blank=True)
    task_id = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "jobs_job"
        indexes: ClassVar = [
            models.Index(fields=["team", "-id"], name="jobs_job_newest"),
            models.Index(fields=["state", "heartbeat_at"], name="jobs_job_open", condition=Q(state__in=OPEN)),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["team", "kind", "subject"], condition=Q(state="waiting"), name="jobs_job_waits_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}: {self.state}"

    @property
    def is_open(self) -> bool:
        """Whether it waits or runs."""
        return self.state in OPEN
