"""Servers as processes: started, asked until they answer, measured by the CPU time of their whole tree, ended by id."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
START_SECONDS = 60


@dataclass
class Server:
    """A running server."""

    name: str
    port: int
    path: str
    process: subprocess.Popen[bytes]

    def cpu_seconds(self) -> float:
        """CPU time of the process and all its descendants."""
        return sum(_ticks(pid) for pid in _tree(self.process.pid)) / TICKS

    def stop(self) -> None:
        """End it."""
        self.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(15)
        self.process.kill()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(name: str, command: Sequence[str], port: int, path: str, env: Mapping[str, str], cwd: Path) -> Server:
    """Start a server and return when its port is open."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, env={**os.environ, **env}, cwd=cwd, stdout=quiet, stderr=quiet)
    server = Server(name, port, path, process)
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return server
    raise SystemExit(f"{name} did not start")


def _tree(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (fields := _stat(int(entry))):
            children.setdefault(int(fields[1]), []).append(int(entry))
    found = [root]
    for pid in found:
        found.extend(children.get(pid, []))
    return found


def _ticks(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[11]) + int(fields[12]) if fields else 0


def _stat(pid: int) -> list[str]:
    """Fields of /proc/PID/stat behind the name, which may hold spaces."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return []
