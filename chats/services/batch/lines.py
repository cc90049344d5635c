"""Cuts pieces of any size into lines, holding one line at most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class LineTooLong:
    """Stands for a line that went past the limit; its text was not kept."""


TOO_LONG = LineTooLong()


def lines_of(pieces: Iterable[bytes], limit: int) -> Iterator[bytes | LineTooLong]:
    """Yield each line without its end. A line of more than `limit` bytes is passed over and yields TOO_LONG."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        *ended, rest = piece.split(b"\n")
        for part in ended:
            yield b"".join([*held, part]) if size + len(part) <= limit else TOO_LONG
            held, size = [], 0
        if not rest:
            continue
        size += len(rest)
        held = [*held, rest] if size <= limit else []
    if size:
        yield b"".join(held) if size <= limit else TOO_LONG
