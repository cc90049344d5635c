"""A small load generator: plain sockets, one request in flight on each connection, nothing parsed but lengths."""

from __future__ import annotations

import selectors
import socket
import time
from dataclasses import dataclass, field

END_OF_HEAD = b"\r\n\r\n"


@dataclass
class Load:
    """What a run saw: seconds of each request."""

    seconds: list[float] = field(default_factory=list)
    elapsed: float = 0.0

    @property
    def p50(self) -> float:
        return sorted(self.seconds)[len(self.seconds) // 2]


@dataclass
class _Connection:
    sock: socket.socket
    got: bytes = b""
    began: float = 0.0

    def is_complete(self) -> bool:
        """Read what there is; whether the answer is whole. Raises for anything but 200."""
        self.got += self.sock.recv(1 << 18)
        head = self.got.find(END_OF_HEAD)
        if head < 0:
            return False
        if self.got[9:12] != b"200":
            raise SystemExit(f"not 200: {self.got[:400]!r}")
        return len(self.got) >= head + len(END_OF_HEAD) + _length(self.got[:head])


def _length(head: bytes) -> int:
    lowered = head.lower()
    at = lowered.index(b"content-length:") + len(b"content-length:")
    return int(lowered[at:].split(b"\r\n", 1)[0])


def request_bytes(path: str, body: bytes, key: str) -> bytes:
    """Return a whole request."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def drive(port: int, request: bytes, *, connections: int, seconds: float) -> Load:
    """Send `request` again and again on `connections` for `seconds`."""
    selector = selectors.DefaultSelector()
    load = Load()
    began = time.perf_counter()
    for _ in range(connections):
        connection = _Connection(socket.create_connection(("127.0.0.1", port)))
        selector.register(connection.sock, selectors.EVENT_READ, connection)
        _send(connection, request)
    while time.perf_counter() < began + seconds:
        for key, _ in selector.select(1):
            if key.data.is_complete():
                load.seconds.append(time.perf_counter() - key.data.began)
                _send(key.data, request)
    load.elapsed = time.perf_counter() - began
    for key in list(selector.get_map().values()):
        key.data.sock.close()
    selector.close()
    return load


def _send(connection: _Connection, request: bytes) -> None:
    connection.got, connection.began = b"", time.perf_counter()
    connection.sock.sendall(request)
