"""`manage.py worker`: does the jobs of all teams, of every kind."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any, ClassVar

from django.core.management.base import BaseCommand

from neotavern.jobs.kinds import QUEUES
from neotavern.jobs.worker import Worker


class Command(BaseCommand):
    """Works until it is told to stop; any number of workers may run, on any machine that reaches the database."""

    help = __doc__ or ""
    queues: ClassVar[tuple[str, ...]] = QUEUES

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--once", action="store_true", help="do what there is to do, then end")
        parser.add_argument("--parent", type=int, help="end when the process with this number is gone")

    def handle(self, *args: Any, **options: Any) -> None:
        """Work."""
        worker = Worker(self.queues, parent=options["parent"])
        if options["once"]:
            worker.work_off()
        else:
            worker.run()
