"""A worker in a process beside the server's: started again when it ends, and gone when the server is."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.conf import settings

PAUSE_SECONDS: Final = 5.0
STOP_SECONDS: Final = 10.0


@contextmanager
def worker_beside() -> Iterator[None]:
    """Have a worker while the block runs."""
    stop = threading.Event()
    watcher = threading.Thread(target=_keep, args=(stop,), name="worker", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join(STOP_SECONDS + 1)


def _keep(stop: threading.Event) -> None:
    while not stop.is_set():
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "worker", "--parent", str(os.getpid())]
        process = subprocess.Popen(command)  # noqa: S603 - our own interpreter and file
        while process.poll() is None and not stop.wait(0.2):
            pass
        _end(process)
        stop.wait(PAUSE_SECONDS)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let a running job go on for a while; what is cut off is done again by the next worker."""
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
