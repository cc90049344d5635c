"""POST of 20 messages with a key and a stored format, over loopback: this server, Fastify and FastAPI doing the same.

The steady figure is CPU time a request, of the server's whole process tree, as a ratio to Fastify in the same round.
"""

from __future__ import annotations

import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path

import orjson

from bench.common import QUICK
from bench.peers.load import drive, request_bytes
from bench.peers.processes import Server, free_port, start

ROOT = Path(__file__).resolve().parents[1]
KEY = "nt_bench_0123456789abcdefghij"
OURS, FASTIFY, FASTAPI = "this server", "fastify", "fastapi"
ROUNDS = 9 if QUICK else 15
SECONDS = 0.8 if QUICK else 3.0
CONNECTIONS = 16
TURNS = 20
SENTENCE = "The lighthouse keeper climbs the stairs, counts them once more and writes the number down. "


@dataclass
class Figures:
    """What the rounds of one server gave: microseconds of CPU a request, requests a second, seconds alone."""

    cpu: list[float] = field(default_factory=list)
    rate: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    alone: list[float] = field(default_factory=list)


def conversation() -> list[dict[str, str]]:
    """Twenty messages of some 300 characters."""
    return [{"role": ("user", "assistant")[at % 2], "content": f"{at}: " + SENTENCE * 3} for at in range(TURNS)]


def set_up(folder: Path) -> dict[str, str]:
    """Make the database with a key and a stored format, and return the servers' environment."""
    env = {"NEOTAVERN_DATA": str(folder), "NEOTAVERN_API_KEY": KEY, "NEOTAVERN_RATE_LIMIT": "0"}
    subprocess.run(
        [sys.executable, "manage.py", "quickstart"], cwd=ROOT, env=env, check=True, stdout=subprocess.DEVNULL
    )
    return {**env, "BENCH_DATABASE": str(folder / "neotavern.sqlite3")}


def store_format(server: Server) -> None:
    """Clone ChatML into the team's library, as a person would."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    connection.request("POST", "/api/v1/formats/chatml/clone", b'{"slug":"house"}', headers)
    answer = connection.getresponse()
    if answer.status != 201:
        raise SystemExit(f"the format was not stored: {answer.read()[:300]!r}")
    connection.close()


@contextmanager
def servers(folder: Path) -> Iterator[list[Server]]:
    """Start all servers that can be started here, with one process each."""
    env = set_up(folder)
    running: list[Server] = []
    try:
        for name, command, path in contenders():
            port = free_port()
            arguments = [word.replace("PORT", str(port)) for word in command]
            running.append(start(name, arguments, port, path, {**env, "PORT": str(port)}, ROOT))
            if name == OURS:
                store_format(running[0])
        yield running
    finally:
        for server in running:
            server.stop()


def contenders() -> list[tuple[str, list[str], str]]:
    """Return name, command and path of each server."""
    found = [(OURS, [sys.executable, "manage.py", "serve", "--workers", "1", "--port", "PORT"], "/api/v1/render")]
    if shutil.which("node") and (ROOT / "node_modules" / "fastify").is_dir():
        found.append((FASTIFY, ["node", "bench/node/http_server.mjs"], "/render"))
    uvicorn = [
        sys.executable,
        "-m",
        "uvicorn",
        "bench.peers.fastapi_app:app",
        "--port",
        "PORT",
        "--log-level",
        "warning",
    ]
    found.append((FASTAPI, uvicorn, "/render"))
    return found


def check_same(running: list[Server], body: bytes) -> None:
    """Every server must answer the same prompt and stops, and refuse a wrong key."""
    answers = {server.name: ask(server, body, KEY) for server in running}
    if len({orjson.dumps([answer["prompt"], answer["stop"]]) for _, answer in answers.values()}) != 1:
        raise SystemExit(f"the servers do not make the same bytes: {answers}")
    refused = {server.name: ask(server, body, KEY + "x")[0] for server in running}
    if set(refused.values()) != {401}:
        raise SystemExit(f"a wrong key was let in: {refused}")


def ask(server: Server, body: bytes, key: str) -> tuple[int, dict[str, object]]:
    """Ask once."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    connection.request("POST", server.path, body, headers)
    answer = connection.getresponse()
    return answer.status, orjson.loads(answer.read())


def measure(running: list[Server], body: bytes) -> dict[str, Figures]:
    """Run the rounds, servers in random order within each."""
    figures = {server.name: Figures() for server in running}
    order, rng = list(running), random.Random(1)
    for server in running:
        drive(server.port, request_bytes(server.path, body, KEY), connections=CONNECTIONS, seconds=1)
    for _ in range(ROUNDS):
        rng.shuffle(order)
        for server in order:
            one_round(server, request_bytes(server.path, body, KEY), figures[server.name])
    return figures


def one_round(server: Server, request: bytes, figures: Figures) -> None:
    """Measure once alone and once with all connections."""
    figures.alone.append(drive(server.port, request, connections=1, seconds=SECONDS / 4).p50)
    before = server.cpu_seconds()
    load = drive(server.port, request, connections=CONNECTIONS, seconds=SECONDS)
    count = len(load.seconds)
    figures.cpu.append((server.cpu_seconds() - before) / count * 1e6)
    figures.rate.append(count / load.elapsed)
    figures.busy.append(load.p50)


def report(figures: dict[str, Figures]) -> None:
    """Print a row for each server, then the one figure."""
    print(f"{TURNS} messages, key and stored format; {ROUNDS} rounds; medians")
    print(
        f"{'':<14}{'CPU us/req':>12}{'req/s':>9}{'p50 ms, 1 conn':>16}{f'p50 ms, {CONNECTIONS}':>12}{'CPU ratio':>12}"
    )
    base = figures.get(FASTIFY) or figures[FASTAPI]
    for name, one in figures.items():
        ratio, low, high = ratio_of(one.cpu, base.cpu)
        print(
            f"{name:<14}{statistics.median(one.cpu):>12.0f}{statistics.median(one.rate):>9.0f}"
            f"{statistics.median(one.alone) * 1e3:>16.2f}{statistics.median(one.busy) * 1e3:>12.2f}"
            f"{ratio:>8.2f} ({low:.2f}-{high:.2f})"
        )
    if FASTIFY in figures:
        other = ratio_of(figures[OURS].cpu, figures[FASTAPI].cpu)
        print(f"HTTP_RENDER_CPU_TO_FASTAPI {other[0]:.2f} ({other[1]:.2f}-{other[2]:.2f})")
    else:
        print("fastify is not installed here (npm ci): compared with FastAPI alone")
    ratio, low, high = ratio_of(figures[OURS].cpu, base.cpu)
    print(f"HTTP_RENDER_CPU_TO_{'FASTIFY' if FASTIFY in figures else 'FASTAPI'} {ratio:.2f} ({low:.2f}-{high:.2f})")


def ratio_of(ours: list[float], theirs: list[float]) -> tuple[float, float, float]:
    """Return median and quartiles of the ratios within each round."""
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    low, _, high = statistics.quantiles(ratios, n=4)
    return statistics.median(ratios), low, high


def main() -> None:
    """Measure and report."""
    body = orjson.dumps({"format": "house", "messages": conversation()})
    with tempfile.TemporaryDirectory(prefix="bench-http-") as folder, servers(Path(folder)) as running:
        check_same(running, body)
        report(measure(running, body))


if __name__ == "__main__":
    main()
