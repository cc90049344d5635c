"""The worker process: reads a request, renders, writes an answer, until its input ends.

Everything travels in frames: a length (4 bytes, little endian) and that many bytes.
Request, one frame of lines: `{"key", "source"?, "now"}`, with the source for a key not sent yet; then the variables of
each call as JSON.
Answer: the frame `{"engine", "reason"}`, or `{"unknown": true}`, or `{"error"}`; in the first case a frame for each
call, `T` and the text or `E` and the error as JSON. An error of kind `limit` ends the answer: the other calls would
take as long. `"last": true` is added by a process that came to the bound of its memory: it ends.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import struct
import sys
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, BinaryIO

from formats.jinja import limits
from formats.jinja.child.choice import Chosen, ring
from formats.jinja.child.failure import OUT_OF_MEMORY, Failure

_KEPT: OrderedDict[str, Chosen] = OrderedDict()


def main() -> None:
    """Serve until the parent goes."""
    _confine()
    reader, writer = sys.stdin.buffer, os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # nothing that an engine prints may stand between two answers
    signal.signal(signal.SIGPROF, ring)
    while (request := _read(reader)) is not None:
        try:
            for frame in _answer(request):
                _write(writer, frame)
        except MemoryError:
            return


def _confine() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (limits.MEMORY, limits.MEMORY))
    sys.setrecursionlimit(2_000)


def _read(reader: BinaryIO) -> bytes | None:
    head = reader.read(4)
    if len(head) < 4:
        return None
    return reader.read(struct.unpack("<I", head)[0])


def _write(writer: Any, frame: bytes) -> None:
    data = memoryview(struct.pack("<I", len(frame)) + frame)
    while data:
        data = data[writer.write(data) :]


def _answer(body: bytes) -> Iterator[bytes]:
    first, *calls = body.split(b"\n")
    request: dict[str, Any] = json.loads(first)
    try:
        chosen = _chosen(request["key"], request.get("source"))
    except Failure as failure:
        yield json.dumps({"error": _report(failure)}).encode()
        return
    if chosen is None:
        yield b'{"unknown": true}'
        return
    yield json.dumps({"engine": chosen.engine, "reason": chosen.reason}).encode()
    for variables in calls:
        try:
            yield b"T" + chosen.render(variables, request["now"]).encode("utf-8", "surrogatepass")
        except Failure as failure:
            yield b"E" + json.dumps(_report(failure)).encode()
            if failure.kind == "limit":
                return


def _chosen(key: str, source: str | None) -> Chosen | None:
    chosen = _KEPT.get(key)
    if chosen is None:
        if source is None:
            return None
        chosen = _KEPT[key] = Chosen(source)
        if len(_KEPT) > limits.KEPT:
            _KEPT.popitem(last=False)
    _KEPT.move_to_end(key)
    return chosen


def _report(failure: Failure) -> dict[str, Any]:
    is_last = failure.message == OUT_OF_MEMORY
    return failure.report() | ({"last": True} if is_last else {})
