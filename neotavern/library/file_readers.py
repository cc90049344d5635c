"""How uploaded files that are no JSON are read, registered by the floors above that know them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

FileReader = Callable[[bytes], list[Any] | None]
"""Takes the bytes of a file; returns its documents, None for a file that it does not know. Raises AppError."""

_READERS: list[FileReader] = []


def register(reader: FileReader) -> None:
    """Ask `reader` about every uploaded file, before it is taken for JSON; a second call changes nothing."""
    if reader not in _READERS:
        _READERS.append(reader)


def read_file(raw: bytes) -> list[Any] | None:
    """Return the documents of a file of a known form, None for one that should be JSON."""
    return next((found for reader in _READERS if (found := reader(raw)) is not None), None)
