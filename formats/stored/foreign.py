"""Other programs' files at the library's border: who knows them, what becomes of them, and which hold several."""

from __future__ import annotations

from typing import Any

from formats.interchange import registry
from formats.interchange.reading import Part, Reader
from formats.prompt.errors import FormatError
from formats.stored.faults import refusal
from neotavern.library import file_readers
from neotavern.library.kinds import Detected, Loss


def detect_foreign(kind: str, document: Any) -> Detected | None:
    """Return what another program's file is, when it becomes a document of `kind`."""
    reader = registry.reader_of(kind, document)
    return None if reader is None else Detected(reader.label, reader.family, _reading(reader))


def _reading(reader: Reader) -> Any:
    def read_foreign(document: Any, name: str) -> tuple[Any, list[Loss]]:
        try:
            made, losses = reader.read(document, name)
        except FormatError as error:
            raise refusal(error) from error
        return made, [Loss(*loss) for loss in losses]

    return read_foreign


def split(document: Any) -> list[file_readers.Section] | None:
    """Return the documents of a file that holds several, None for any other."""
    parts = registry.split(document)
    return None if parts is None else [_section(part) for part in parts]


def _section(part: Part) -> file_readers.Section:
    return file_readers.Section(part.name, part.document, tuple(Loss(*loss) for loss in part.losses))


def read_file(raw: bytes) -> list[Any] | None:
    """Return the documents of a file that is no JSON. Raises VALIDATION for one of a known sort that is broken."""
    try:
        return registry.read_file(raw)
    except FormatError as error:
        raise refusal(error) from error


def register() -> None:
    """Let the library, a floor below, read these files."""
    file_readers.register(read_file)
    file_readers.register_splitter(split)
