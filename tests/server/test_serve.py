"""The server as a client meets it: stuck peers stop nobody, uploads may be chunked, connections are kept."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection

import orjson
import pytest

from tests.server.running import KEY, Running, server, stop

WORKERS = 2
STUCK_SECONDS = 5
"""Generous: a worker that works answers within milliseconds, one that is stuck never does."""

HI = {"format": "chatml", "messages": [{"role": "user", "content": "Hi"}]}
PROMPT = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
LINE = orjson.dumps(HI) + b"\n"
BIG_LINE = orjson.dumps({**HI, "messages": [{"role": "user", "content": "x" * 200_000}]}) + b"\n"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with server(tmp_path_factory.mktemp("server"), workers=WORKERS) as found:
        yield found


@pytest.fixture(autouse=True)
def _let_go(running: Running) -> Iterator[None]:
    yield
    while running.sockets:
        running.sockets.pop().close()


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def read_until(connection: socket.socket, mark: bytes) -> bytes:
    got = b""
    while mark not in got:
        piece = connection.recv(65536)
        assert piece, got
        got += piece
    return got


def test_it_renders(running: Running) -> None:
    status, body = running.post("/api/v1/render", HI)
    assert (status, body["prompt"]) == (200, PROMPT)
    assert running.post("/apply-template", {"messages": HI["messages"]}) == (200, {"prompt": PROMPT})


def test_health_answers_while_every_worker_has_stuck_peers(running: Running) -> None:
    """On each worker: half-sent bodies, answers that nobody reads, batches that go on."""
    batch = "POST /api/v1/render/batch HTTP/1.1\r\nContent-Type: application/x-ndjson"
    going = []
    for _ in range(WORKERS * 2):
        running.open(
            "POST /api/v1/render HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 5000", b'{"mess'
        )
    for _ in range(WORKERS * 2):
        unread = running.open(f"{batch}\r\nContent-Length: {len(BIG_LINE) * 100}")
        unread.sendall(BIG_LINE * 100)
        going.append(running.open(f"{batch}\r\nTransfer-Encoding: chunked", chunk(LINE)))
    for connection in going:
        read_until(connection, b'"prompt"')
    for _ in range(WORKERS * 4):
        began = time.monotonic()
        assert running.request("GET", "/health", timeout=STUCK_SECONDS)[0] == 200
        assert time.monotonic() - began < STUCK_SECONDS
    assert running.post("/api/v1/render", HI)[1]["prompt"] == PROMPT
    for connection in going:
        connection.sendall(chunk(LINE))
        read_until(connection, b'"prompt"')


def test_a_chunked_body_is_read(running: Running) -> None:
    connection = running.open(
        "POST /api/v1/render HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked"
    )
    raw = orjson.dumps(HI)
    for start in range(0, len(raw), 20):
        connection.sendall(chunk(raw[start : start + 20]))
    connection.sendall(chunk(b""))
    assert read_until(connection, b'"randomSeed"').startswith(b"HTTP/1.1 200")


def test_a_batch_answers_each_line_as_it_comes(running: Running) -> None:
    head = "POST /api/v1/render/batch HTTP/1.1\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked"
    connection = running.open(head)
    for _ in range(3):
        connection.sendall(chunk(LINE))
        read_until(connection, b'"randomSeed"')
    connection.sendall(chunk(b"not json"))
    connection.sendall(chunk(b""))
    assert b"BAD_JSON" in read_until(connection, b"\r\n0\r\n\r\n")


def test_a_client_that_sends_everything_before_it_reads_is_served(running: Running) -> None:
    count = 150
    status, body = running.request("POST", "/api/v1/render/batch", BIG_LINE * count, timeout=120)
    assert (status, body.count(b"\n")) == (200, count)


def test_a_batch_of_bad_lines_and_a_line_without_end(running: Running) -> None:
    raw = LINE + b"{\n" + b"x" * (17 * 1024 * 1024) + b"\n" + LINE.rstrip()
    status, body = running.request("POST", "/api/v1/render/batch", raw, timeout=120)
    answers = [orjson.loads(line) for line in body.splitlines()]
    kinds = [answer["error"]["code"] if "error" in answer else answer["prompt"] for answer in answers]
    assert (status, kinds) == (200, [PROMPT, "BAD_JSON", "PAYLOAD_TOO_LARGE", PROMPT])


def test_connections_are_kept(running: Running) -> None:
    connection = HTTPConnection("127.0.0.1", running.port, timeout=30)
    connection.connect()
    local = connection.sock.getsockname()
    for _ in range(3):
        headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
        connection.request("POST", "/api/v1/render", orjson.dumps(HI), headers)
        response = connection.getresponse()
        assert (response.status, response.version) == (200, 11)
        response.read()
        assert connection.sock is not None
        assert connection.sock.getsockname() == local
    connection.close()


def test_requests_at_once_do_not_mix(running: Running) -> None:
    wrong: list[object] = []

    def work(number: int) -> None:
        for turn in range(20):
            text = f"{number}-{turn}"
            body = {"format": ("chatml", "llama3")[number % 2], "messages": [{"role": "user", "content": text}]}
            answer = running.post("/api/v1/render", body)[1]
            if f"\n{text}<|" not in answer["prompt"] or ("im_start" in answer["prompt"]) != (number % 2 == 0):
                wrong.append(answer)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_static_files_are_served(running: Running) -> None:
    status, page = running.request("GET", "/login/")
    assert status == 200
    assert b"/static/" in page
    address = page.split(b'href="/static/')[1].split(b'"')[0].decode()
    assert running.request("GET", f"/static/{address}")[0] == 200


def test_it_stops_when_told_to(tmp_path_factory: pytest.TempPathFactory) -> None:
    with server(tmp_path_factory.mktemp("stopped"), workers=1) as found:
        began = time.monotonic()
        assert stop(found.process) == 0
        assert time.monotonic() - began < 15
