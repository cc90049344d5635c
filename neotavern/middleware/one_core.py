"""Keeps the threads of a worker on one core.

Only one thread of a process runs Python at a time. Where there are idle cores, the right to do so wanders from one to
the other at every read of the database, with two switches each; on one core the thread that has it goes on. The
server's own threads, which read and write sockets, stay free.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable
from typing import Any

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


class OneCore:
    """A WSGI application in front of another."""

    def __init__(self, application: Application, core: int | None) -> None:
        self._application, self._core = application, core
        self._thread = threading.local()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Bind a thread that has not been seen before, and answer."""
        if not hasattr(self._thread, "is_bound"):
            self._thread.is_bound = True
            bind(self._core)
        return self._application(environ, start_response)


def bind(core: int | None) -> None:
    """Keep the thread that calls on `core`; do nothing without one, or where the system does not let us."""
    if core is None:
        return
    try:
        os.sched_setaffinity(0, {core})
    except OSError:
        return


def core_of_worker() -> int | None:
    """Return a core for this process: workers of one server get one after the other, None where there is no choice."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) == 1:
        return None
    number = multiprocessing.current_process().name.rpartition("-")[2]
    offset = int(number) if number.isdecimal() else 0
    return cores[(os.getppid() + offset) % len(cores)]
