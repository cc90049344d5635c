"""Jobs run once, tell how far they are, are tried again, and survive their workers."""

from __future__ import annotations

from datetime import timedelta
from unittest.mock import patch

from django.core.management import call_command
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from neotavern.jobs import queue, running, services
from neotavern.jobs.kinds import Cancelled
from neotavern.jobs.models import Job, State
from tests.jobs.base import COUNTING, Later, counting, work_off
from tests.teams import TeamTestCase


class JobsTestCase(TeamTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.work = self.enterContext(counting())

    def ask(self, parts: int = 3, subject: str = "") -> Job:
        return services.ask(self.team.pk, COUNTING, subject=subject, payload={"parts": parts})

    def after(self, job: Job) -> Job:
        work_off()
        job.refresh_from_db()
        return job


class Running(JobsTestCase):
    def test_it_runs_and_tells_what_came_of_it(self) -> None:
        job = self.after(self.ask())
        assert (job.state, job.done, job.total, job.result) == ("done", 3, 3, '{"counted":3}')
        assert (job.attempts, job.error, job.heartbeat_at) == (1, "", None)

    def test_the_command_does_what_there_is_to_do(self) -> None:
        job = self.ask()
        with patch("django_tasks_db.management.commands.db_worker.close_old_connections"):
            call_command("worker", "--once")
        job.refresh_from_db()
        assert job.state == "done"

    def test_the_embedding_worker_leaves_other_work_alone(self) -> None:
        job = self.ask()
        call_command("embed_worker", "--once")
        job.refresh_from_db()
        assert job.state == "waiting"

    def test_what_waits_already_is_not_asked_for_twice(self) -> None:
        assert self.ask(subject="lorebook/a").pk == self.ask(subject="lorebook/a").pk
        assert self.ask(subject="lorebook/b").pk != self.ask(subject="lorebook/a").pk

    def test_an_error_that_may_pass_is_tried_again_later(self) -> None:
        self.work.wrong = [Later("The other side is busy.")]
        job = self.after(self.ask())
        assert (job.state, job.error, job.attempts) == ("waiting", "The other side is busy.", 1)
        DBTaskResult.objects.update(run_after=timezone.now())
        assert (self.after(job).state, job.attempts, job.error) == ("done", 2, "")

    def test_it_is_not_tried_for_ever(self) -> None:
        self.work.wrong = [Later("Busy.")] * 9
        job = self.ask()
        for _ in range(9):
            DBTaskResult.objects.update(run_after=timezone.now())
            self.after(job)
        assert (job.state, job.error, job.attempts, len(self.work.runs)) == ("failed", "Busy.", 4, 4)

    def test_any_other_error_fails_it_at_once(self) -> None:
        self.work.wrong = [ValueError("no such number")]
        assert (self.after(self.ask()).state, Job.objects.get().error) == ("failed", "ValueError: no such number")

    def test_a_kind_that_this_version_does_not_know(self) -> None:
        job = self.ask()
        Job.objects.update(kind="of the future")
        assert self.after(job).error == "This version knows no jobs of the kind 'of the future'."


class Crashes(JobsTestCase):
    def test_a_job_whose_worker_is_gone_is_done_by_the_next(self) -> None:
        job = self.lost(attempts=1)
        assert running.rescue() == 1
        assert (self.after(job).state, job.attempts) == ("done", 2)

    def test_one_that_ends_every_worker_is_given_up(self) -> None:
        job = self.lost(attempts=running.TRIES)
        running.rescue()
        assert self.after(job).error == "Its worker ended without a word, every time."

    def test_one_that_still_beats_is_left_alone(self) -> None:
        job = self.lost(attempts=1, silent=timedelta(seconds=10))
        assert (running.rescue(), self.after(job).state) == (0, "running")

    def test_a_second_queue_entry_runs_nothing(self) -> None:
        job = self.ask()
        queue.put(job)
        assert (self.after(job).state, len(self.work.runs)) == ("done", 1)

    def test_a_job_that_is_called_off_stops_at_its_next_beat(self) -> None:
        job = self.ask()
        Job.objects.update(state=State.CANCELLED)
        with self.assertRaises(Cancelled):
            running._Beat(job)(1, 3)

    def lost(self, *, attempts: int, silent: timedelta = timedelta(hours=1)) -> Job:
        """A job that a worker took and never ended."""
        job = self.ask()
        DBTaskResult.objects.update(status="RUNNING")
        Job.objects.update(state=State.RUNNING, attempts=attempts, heartbeat_at=timezone.now() - silent)
        return job


class Tidying(JobsTestCase):
    def test_what_ended_long_ago_is_forgotten(self) -> None:
        old, new = self.after(self.ask()), self.after(self.ask())
        Job.objects.filter(pk=old.pk).update(finished_at=timezone.now() - timedelta(days=31))
        DBTaskResult.objects.update(finished_at=timezone.now() - timedelta(days=2))
        queue.tidy()
        assert (list(Job.objects.values_list("pk", flat=True)), DBTaskResult.objects.count()) == ([new.pk], 0)
