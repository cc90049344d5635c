"""A kind of job that counts, fails and is called off on demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from neotavern.jobs import kinds
from neotavern.jobs.kinds import JobKind, Progress
from neotavern.jobs.worker import Worker

COUNTING = "counting"


class Later(Exception):
    """Passes."""


class Counting:
    """Does `payload["parts"]` parts; `wrong` are errors that the next runs raise."""

    def __init__(self) -> None:
        self.wrong: list[Exception] = []
        self.runs: list[int] = []

    def __call__(self, team_id: int, payload: Mapping[str, Any], progress: Progress) -> Mapping[str, Any]:
        self.runs.append(team_id)
        if self.wrong:
            raise self.wrong.pop(0)
        for part in range(payload["parts"]):
            progress(part + 1, payload["parts"])
        return {"counted": payload["parts"]}


@contextmanager
def counting() -> Iterator[Counting]:
    """Have the kind registered while the block runs."""
    work = Counting()
    kinds.register(JobKind(COUNTING, "Counting", work, again=(Later,)))
    try:
        yield work
    finally:
        kinds._KINDS.pop(COUNTING)


def work_off() -> None:
    """Do what there is to do, as a worker does; the connection is the test's and stays."""
    with patch("django_tasks_db.management.commands.db_worker.close_old_connections"):
        Worker().work_off()
