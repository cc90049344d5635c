"""What an uploaded file holds: the same for the API and the page."""

from __future__ import annotations

from typing import Any

from neotavern.ground.canonical import loads
from neotavern.library import file_readers
from neotavern.library.services import Upload


def of_file(name: str, raw: bytes) -> list[Upload]:
    """Return the documents of a file: those of a known form count as whole, a JSON array as many."""
    found = file_readers.read_file(raw)
    if found is None:
        return documents(name, loads(raw))
    return [Upload(name, document) for document in found]


def documents(name: str, value: Any) -> list[Upload]:
    """Return a document as one upload, a list of them as many."""
    if not isinstance(value, list):
        return [Upload(_name_of(value, name), value)]
    return [Upload(_name_of(document, f"{name}[{index}]"), document) for index, document in enumerate(value)]


def _name_of(document: Any, fallback: str) -> str:
    """Return what a person would call the document."""
    if isinstance(document, dict):
        for key in ("name", "id"):
            if isinstance(document.get(key), str) and document[key]:
                return str(document[key])[:200]
    return fallback
