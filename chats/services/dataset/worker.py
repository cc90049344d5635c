"""What a process of the pool runs. It begins empty, so nothing of Django is imported before Django is set up."""

from __future__ import annotations

import os
import signal
import threading
import time
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
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    django.setup()
    from chats.services.dataset.rows import RowRenderer

    _renderer[:] = [RowRenderer(plan)]


def _end_with(parent: int) -> None:
    """End this process when the command was killed: nobody is left to ask it for rows."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def work(chunk: tuple[int, list[bytes]]) -> Chunk:
    """Render one chunk: the number of its first line, and the lines."""
    return _renderer[0].chunk(*chunk)
