"""What stands in the queue: one task for every kind of job. `neotavern.jobs.running` does the work."""

from __future__ import annotations

from django_tasks import task

from neotavern.jobs import running


@task()
def run_job(job_id: int) -> None:
    """Run a job."""
    running.run(job_id)
