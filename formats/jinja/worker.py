"""The worker process of this process: started when a template is first rendered, killed when it does not answer.

Templates are programs of strangers, and both engines can be made to exhaust memory or the stack, which ends the process
they run in. So they run in one of their own; what ends it is a limit error of that one template, and the next request
finds a new worker.
"""

from __future__ import annotations

import json
import os
import select
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Final

from formats.jinja import limits
from formats.jinja.errors import JinjaError, JinjaLimitError, error_of

_ROOT: Final = str(Path(__file__).resolve().parents[2])
_START: Final = f"import sys; sys.path.insert(0, {_ROOT!r}); from formats.jinja.child.main import main; main()"
_HEAD: Final = struct.Struct("<I")
_DIED: Final = "the template took more memory or time, or nested deeper, than it may"

Facts = dict[str, Any]
"""`engine` and `reason`, see `formats.jinja.child.main`."""


class _Gone(Exception):
    """The worker ended, or was killed for its silence."""


class Worker:
    """One child process and the lock around it. Safe to share between threads; a fork gets a process of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._known: set[str] = set()

    def render(
        self, key: str, source: str, calls: list[bytes], now: str | None
    ) -> tuple[Facts, list[str | JinjaError]]:
        """What is known of the template, and a text or an error for each call (variables as JSON).

        Raises JinjaError when the template as a whole fails.
        """
        request = {"key": key, "now": now}
        with self._lock:
            facts: Facts = {"unknown": True}
            if key in self._known:
                facts = self._ask(request, calls)
            if "unknown" in facts:
                facts = self._ask(request | {"source": source}, calls)
                self._known.add(key)
            if "error" in facts:
                raise self._error(facts["error"])
            return facts, self._results(len(calls))

    def close(self) -> None:
        """End the process; the next request starts another."""
        with self._lock:
            self._end()

    def _ask(self, request: dict[str, str | None], calls: list[bytes]) -> Facts:
        body = b"\n".join([json.dumps(request).encode(), *calls])
        try:
            process = self._running()
            _write(process, _HEAD.pack(len(body)) + body)
            facts: Facts = json.loads(_frame(process))
        except (_Gone, OSError) as error:
            raise self._lost(error) from None
        return facts

    def _results(self, count: int) -> list[str | JinjaError]:
        """The frames of an answer; a limit error is the last of them, and stands for the calls behind it as well."""
        results: list[str | JinjaError] = []
        for _ in range(count):
            try:
                frame = _frame(self._running())
            except (_Gone, OSError) as error:
                results.append(self._lost(error))
                break
            if frame[:1] == b"T":
                results.append(frame[1:].decode("utf-8", "surrogatepass"))
                continue
            results.append(self._error(json.loads(frame[1:])))
            if isinstance(results[-1], JinjaLimitError):
                break
        return results + results[-1:] * (count - len(results))

    def _error(self, report: dict[str, Any]) -> JinjaError:
        if report.get("last"):
            self._end()
        return error_of(report)

    def _lost(self, error: Exception) -> JinjaLimitError:
        self._end()
        return JinjaLimitError(str(error) if isinstance(error, _Gone) else _DIED)

    def _running(self) -> subprocess.Popen[bytes]:
        process = self._process
        if process is None or self._owner != os.getpid() or process.poll() is not None:
            self._known.clear()
            process = self._process = _start()
            self._owner = os.getpid()
        return process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None or self._owner != os.getpid():
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def _start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - our own interpreter and our own program
        [sys.executable, "-I", "-c", _START],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        start_new_session=True,
        env={},
    )


def _write(process: subprocess.Popen[bytes], data: bytes) -> None:
    view = memoryview(data)
    while view and process.stdin is not None:
        view = view[os.write(process.stdin.fileno(), view) :]


def _frame(process: subprocess.Popen[bytes]) -> bytes:
    """The next frame. It is written in one go when its work is done, so only its beginning may be long in coming."""
    if process.stdout is None:
        raise _Gone(_DIED)
    descriptor = process.stdout.fileno()
    if not select.select([descriptor], [], [], limits.PATIENCE)[0]:
        raise _Gone("the template takes more time than it may")
    (length,) = _HEAD.unpack(_read(descriptor, _HEAD.size))
    return _read(descriptor, length)


def _read(descriptor: int, length: int) -> bytes:
    pieces, left = [], length
    while left:
        piece = os.read(descriptor, min(left, 1 << 20))
        if not piece:
            raise _Gone(_DIED)
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


WORKER: Final = Worker()
"""The one of this process."""
