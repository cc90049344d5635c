"""What a process of the pool runs. It begins empty, so nothing of Django is imported before Django is set up."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from chats.services.dataset.plan import DatasetPlan

if TYPE_CHECKING:
    from chats.services.dataset.rows import Chunk, RowRenderer

_renderer: list[RowRenderer] = []


def start(plan: DatasetPlan) -> None:
    """Make this process ready for the rows of `plan`."""
    import django

    # Ctrl+C reaches the whole group: the parent alone ends the run, behind a whole line
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    django.setup()
    from chats.services.dataset.rows import RowRenderer

    _renderer[:] = [RowRenderer(plan)]


def work(chunk: tuple[int, list[bytes]]) -> Chunk:
    """Render one chunk: the number of its first line, and the lines."""
    return _renderer[0].chunk(*chunk)
