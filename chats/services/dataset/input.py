"""The file that is read: its lines with their numbers, and what tells it from another file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

HEAD: Final = 1024 * 1024
MARK: Final = b"\xef\xbb\xbf"


def fingerprint_of(path: Path) -> str:
    """Return a hash of the file's size and its first MiB."""
    with path.open("rb") as file:
        return hashlib.sha256(b"%d:" % path.stat().st_size + file.read(HEAD)).hexdigest()


def numbered_lines(path: Path, *, skip: int = 0, seen: Callable[[int], object] = int) -> Iterator[tuple[int, bytes]]:
    """Yield (number from 1, line) of every line that is not blank, without the first `skip` of them.

    `seen` is told the bytes of each line that was read.
    """
    rows = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            seen(len(line))
            text = line.removeprefix(MARK).strip() if number == 1 else line.strip()
            if not text:
                continue
            rows += 1
            if rows > skip:
                yield number, text
