"""The worker: takes jobs from the queue until it is told to stop, and gives those of lost workers another try."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Sequence
from typing import Any, Final

from django.db import DatabaseError, close_old_connections
from django.utils.crypto import get_random_string

from neotavern.jobs import kinds, queue, running
from neotavern.jobs.kinds import QUEUES

logger = logging.getLogger("neotavern.jobs")

IDLE_SECONDS: Final = 1.0
TIDY_SECONDS: Final = 300.0
BACKEND: Final = "default"


class Worker:
    """Runs the jobs of `queues`. A signal lets the running job go on to its end; a second one ends it at once, and the
    job is run again by whoever finds it stale."""

    def __init__(self, queues: Sequence[str] = QUEUES, *, parent: int | None = None) -> None:
        self._queues, self._parent = list(queues), parent
        self._stop = threading.Event()
        self._next_tidy = 0.0

    def run(self) -> None:
        """Work until a signal comes, or the process that started this one is gone."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._signalled)
        logger.info("worker started", extra={"queues": self._queues})
        self._first()
        while not self._stop.is_set() and not self._is_orphan():
            try:
                self._tidy()
                self.work_off()
            except DatabaseError as error:
                logger.warning("database: %s", error)
            close_old_connections()
            self._stop.wait(IDLE_SECONDS)
        logger.info("worker stopped")

    def work_off(self) -> None:
        """Run what there is to run, then return."""
        from django_tasks_db.management.commands.db_worker import Worker as QueueWorker
        from django_tasks_db.models import DBTaskResult

        ready = DBTaskResult.objects.ready().filter(backend_name=BACKEND, queue_name__in=self._queues)
        while not self._stop.is_set() and ready.exists():  # a look costs no lock, taking one does
            QueueWorker(
                queue_names=self._queues,
                interval=0,
                batch=True,
                backend_name=BACKEND,
                startup_delay=False,
                max_tasks=1,
                worker_id=get_random_string(32),
                excluded_queue_names=[],
            ).run()

    def _first(self) -> None:
        """Let the kinds of these queues ask for what they find undone."""
        for kind in kinds.all_kinds():
            if kind.queue not in self._queues or kind.find_undone is None:
                continue
            try:
                kind.find_undone()
            except Exception:
                logger.exception("looking for undone work", extra={"kind": kind.name})

    def _tidy(self) -> None:
        if time.monotonic() >= self._next_tidy:
            self._next_tidy = time.monotonic() + TIDY_SECONDS
            running.rescue()
            queue.tidy()

    def _is_orphan(self) -> bool:
        return self._parent is not None and os.getppid() != self._parent

    def _signalled(self, number: int, _frame: Any) -> None:
        if self._stop.is_set():
            raise SystemExit(128 + number)
        self._stop.set()
