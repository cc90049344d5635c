"""Takes in an upload while its answer goes out.

Many clients send everything before they read anything. A server that answers while it reads would then wait for the
client to read, and the client for the server: so a thread of its own takes the upload in, into memory while it is
small and into a temporary file when it is not.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import Final

MEMORY_BYTES: Final = 1024 * 1024
"""Larger uploads go to a file."""

MAX_WAITING_BYTES: Final = 1024**3
"""So much may lie unread; past it the upload waits for the answer to be read."""

PIECE_BYTES: Final = 64 * 1024


class Spool:
    """A queue of bytes between the thread that reads the upload and the one that answers it."""

    def __init__(self, read: Callable[[], bytes], *, max_waiting: int = MAX_WAITING_BYTES) -> None:
        """`read` returns the next piece of the upload, empty at its end."""
        self._read = read
        self._max_waiting = max_waiting
        self._file = tempfile.SpooledTemporaryFile(max_size=MEMORY_BYTES)  # noqa: SIM115 - closed by `close`
        self._changed = threading.Condition()
        self._written = self._taken = 0
        self._is_complete = self._is_closed = False
        self._thread = threading.Thread(target=self._take_in, name="batch-upload", daemon=True)

    def pieces(self) -> Iterator[bytes]:
        """Yield the upload in order, waiting for what has not come yet."""
        self._thread.start()
        while piece := self._next():
            yield piece

    def close(self) -> None:
        """Stop taking in and give the file back; safe to repeat."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
            self._file.close()

    def _next(self) -> bytes:
        with self._changed:
            self._changed.wait_for(lambda: self._written > self._taken or self._is_complete or self._is_closed)
            if self._is_closed or self._written == self._taken:
                return b""
            self._file.seek(self._taken)
            piece = self._file.read(min(PIECE_BYTES, self._written - self._taken))
            self._taken += len(piece)
            if self._taken == self._written:
                self._rewind()
            self._changed.notify_all()
            return piece

    def _rewind(self) -> None:
        """Begin the file anew when all of it was read: a slow upload then never grows it."""
        self._written = self._taken = 0
        self._file.seek(0)
        self._file.truncate()

    def _take_in(self) -> None:
        try:
            while (piece := self._read()) and self._keep(piece):
                pass
        except Exception:  # noqa: S110 - a broken upload ends here; what came before it is answered
            pass
        finally:
            with self._changed:
                self._is_complete = True
                self._changed.notify_all()

    def _keep(self, piece: bytes) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._written - self._taken < self._max_waiting or self._is_closed)
            if self._is_closed:
                return False
            self._file.seek(self._written)
            self._file.write(piece)
            self._written += len(piece)
            self._changed.notify_all()
            return True
