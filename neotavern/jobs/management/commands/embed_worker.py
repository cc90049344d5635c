"""`manage.py embed_worker`: a worker for vectors alone, so that a large book keeps nothing else waiting."""

from __future__ import annotations

from typing import ClassVar

from neotavern.jobs.kinds import EMBED_QUEUE
from neotavern.jobs.management.commands import worker


class Command(worker.Command):
    """The same worker with the embedding queue alone."""

    help = __doc__ or ""
    queues: ClassVar[tuple[str, ...]] = (EMBED_QUEUE,)
