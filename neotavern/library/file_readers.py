"""How uploaded files that are no JSON, or hold several documents, are read; registered by the floors above."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from neotavern.library.kinds import Loss

FileReader = Callable[[bytes], list[Any] | None]
"""Takes the bytes of a file; returns its documents, None for a file that it does not know. Raises AppError."""


class Section(NamedTuple):
    """One of the documents that a value holds: its name there, and what of the whole is lost with it."""

    name: str
    document: Any
    losses: tuple[Loss, ...] = ()


Splitter = Callable[[Any], list[Section] | None]
"""Takes a parsed document; returns those that it holds, None for one that is a single document."""

_READERS: list[FileReader] = []
_SPLITTERS: list[Splitter] = []


def register(reader: FileReader) -> None:
    """Ask `reader` about every uploaded file, before it is taken for JSON; a second call changes nothing."""
    if reader not in _READERS:
        _READERS.append(reader)


def register_splitter(splitter: Splitter) -> None:
    """Ask `splitter` about every document that is imported; a second call changes nothing."""
    if splitter not in _SPLITTERS:
        _SPLITTERS.append(splitter)


def read_file(raw: bytes) -> list[Any] | None:
    """Return the documents of a file of a known form, None for one that should be JSON."""
    return next((found for reader in _READERS if (found := reader(raw)) is not None), None)


def split(document: Any) -> list[Section] | None:
    """Return the documents that a value holds, None for one that is a single document."""
    return next((found for splitter in _SPLITTERS if (found := splitter(document)) is not None), None)
