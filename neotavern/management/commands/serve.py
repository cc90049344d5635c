"""`manage.py serve`: the application on granian, as `make run` starts it."""

from __future__ import annotations

import logging
from argparse import ArgumentParser
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand

from neotavern.management.beside import worker_beside

BLOCKING_THREADS: Final = 16
"""Requests that one worker serves at a time. A half-sent body or an unread answer holds one; idle ones cost nothing."""

STOP_SECONDS: Final = 10
"""Requests that run when the server is stopped get so long to end."""


class Command(BaseCommand):
    """Serves pages and API on one address until it is told to stop."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options; the environment gives the rest."""
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
        parser.add_argument("--port", type=int, default=settings.PORT, help="port (default PORT, else 8000)")
        parser.add_argument("--workers", type=int, default=settings.WORKERS, help="default NEOTAVERN_WORKERS")
        parser.add_argument("--with-worker", action="store_true", help="do background jobs too, in a process beside")

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve; SIGTERM and Ctrl+C let running requests end."""
        from granian.constants import HTTPModes, Interfaces
        from granian.http import HTTP1Settings
        from granian.server import Server

        server = Server(
            "neotavern.wsgi:application",
            address=options["host"],
            port=options["port"],
            interface=Interfaces.WSGI,
            workers=options["workers"],
            blocking_threads=BLOCKING_THREADS,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(keep_alive=True),
            websockets=False,
            workers_kill_timeout=STOP_SECONDS,
            respawn_failed_workers=True,
        )
        logging.getLogger("_granian").addFilter(_is_news)
        if options["with_worker"]:
            with worker_beside():
                server.serve()
        else:
            server.serve()


def _is_news(record: logging.LogRecord) -> bool:
    """Drop granian's advice to have fewer threads than cores: ours wait for slow clients, they do not compute."""
    return not record.getMessage().startswith("Configuration allows spawning up to")
