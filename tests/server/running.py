"""A real server in a process of its own, with a database, a key and sockets that misbehave on purpose."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import orjson

KEY = "nt_server_test_0123456789abcdef"
START_SECONDS = 60
ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Running:
    """A server and the sockets that a test holds open."""

    port: int
    process: subprocess.Popen[bytes]
    sockets: list[socket.socket] = field(default_factory=list)

    def request(
        self, method: str, path: str, body: bytes = b"", timeout: float = 30, **headers: str
    ) -> tuple[int, bytes]:
        """Send one request on a connection of its own."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, {"Authorization": f"Bearer {KEY}", **headers})
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        """Post JSON and return the parsed answer."""
        status, raw = self.request("POST", path, orjson.dumps(body), **{"Content-Type": "application/json"})
        return status, orjson.loads(raw)

    def open(self, head: str, body: bytes = b"") -> socket.socket:
        """Send the beginning of a request and leave the connection open."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        lines = f"{head}\r\nHost: localhost\r\nAuthorization: Bearer {KEY}\r\n\r\n"
        connection.sendall(lines.encode() + body)
        self.sockets.append(connection)
        return connection


def environment(folder: Path, port: int, workers: int) -> dict[str, str]:
    """Return the environment of a server with data in `folder`."""
    own = {"NEOTAVERN_DATA": str(folder), "PORT": str(port), "NEOTAVERN_WORKERS": str(workers)}
    own |= {"NEOTAVERN_API_KEY": KEY, "NEOTAVERN_RATE_LIMIT": "0"}
    kept = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "CACHE_URL"}}
    return kept | own


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server(folder: Path, *, workers: int) -> Iterator[Running]:
    """Set up a database in `folder` and serve it until the block ends."""
    port = free_port()
    env = environment(folder, port, workers)
    manage = [sys.executable, str(ROOT / "manage.py")]
    subprocess.run([*manage, "quickstart"], env=env, check=True, capture_output=True, cwd=ROOT)
    log = (folder / "server.log").open("wb")
    process = subprocess.Popen([*manage, "serve"], env=env, stdout=log, stderr=log, cwd=ROOT)
    running = Running(port, process)
    try:
        _wait_until_ready(running, folder)
        yield running
    finally:
        for connection in running.sockets:
            connection.close()
        stop(process)
        log.close()


def stop(process: subprocess.Popen[bytes]) -> int:
    """End the server as a service manager does, and return its exit status."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        return process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def _wait_until_ready(running: Running, folder: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and running.process.poll() is None:
        try:
            if running.request("GET", "/ready", timeout=20)[0] == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"the server did not start: {(folder / 'server.log').read_text()[-2000:]}")
