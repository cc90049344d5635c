"""The file that is written: a part file while rows are missing, the finished file afterwards.

Whole lines are appended in order, so a run that was killed leaves a prefix of the result and perhaps a torn line. The
next run cuts that off, counts what is there and goes on behind it: no row is lost and none is written twice.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from pathlib import Path
from typing import IO, Final, Self

from neotavern.ground.errors import AppError, ErrorCode

BLOCK: Final = 1024 * 1024


class Output:
    """`path` and its part file; use it as a context manager, and `finish` when all rows are written."""

    def __init__(self, path: Path, fingerprint: str, *, restart: bool = False) -> None:
        self._path = path
        self._part = path.with_name(f"{path.name}.part")
        self._state = path.with_name(f"{path.name}.part.json")
        self._fingerprint = fingerprint
        self._restart = restart
        self._file: IO[bytes] | None = None
        self.done = 0
        """Rows that an earlier run has written."""

    def __enter__(self) -> Self:
        """Open the part file. Raises AppError CONFLICT where another run writes, or wrote something else."""
        if self._path.exists() and not self._restart:
            raise _conflict(f"{self._path} is there already: --restart writes it anew.")
        self._file = self._part.open("a+b")
        try:
            self._lock()
            if self._restart:
                self._file.truncate(0)
            elif self._size():
                self._check_state()
            self._state.write_text(json.dumps({"fingerprint": self._fingerprint}))
            self.done = self._cut_to_whole_lines()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Close the part file; it stays for the next run unless `finish` was called."""
        if self._file is not None:
            self._file.close()

    def write(self, lines: bytes) -> None:
        """Append whole lines."""
        assert self._file is not None  # noqa: S101 - used inside its `with`
        self._file.write(lines)
        self._file.flush()

    def finish(self) -> None:
        """Give the file its name."""
        assert self._file is not None  # noqa: S101 - used inside its `with`
        os.fsync(self._file.fileno())
        self._part.replace(self._path)
        with contextlib.suppress(FileNotFoundError):
            self._state.unlink()

    def _lock(self) -> None:
        assert self._file is not None  # noqa: S101 - called by `__enter__`
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _conflict(f"Another run is writing {self._part}.") from None

    def _size(self) -> int:
        return self._part.stat().st_size

    def _check_state(self) -> None:
        try:
            known = json.loads(self._state.read_text())["fingerprint"]
        except (OSError, ValueError, KeyError, TypeError):
            known = None
        if known != self._fingerprint:
            raise _conflict(
                f"{self._part} was made with another input, format or other options: --restart begins anew."
            )

    def _cut_to_whole_lines(self) -> int:
        """Cut a torn last line off and return the number of whole ones."""
        assert self._file is not None  # noqa: S101 - called by `__enter__`
        self._file.seek(0)
        rows = whole = position = 0
        while block := self._file.read(BLOCK):
            rows += block.count(b"\n")
            last = block.rfind(b"\n")
            whole = position + last + 1 if last >= 0 else whole
            position += len(block)
        self._file.truncate(whole)
        self._file.seek(0, os.SEEK_END)
        return rows


def _conflict(message: str) -> AppError:
    return AppError(ErrorCode.CONFLICT, message)
