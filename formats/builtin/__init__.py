"""The formats that come with the program: one JSON file each, named by its slug. Data, and how to read it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from formats.prompt import InstructFormat, import_instruct_format


def builtin_slugs() -> list[str]:
    """Every slug, in alphabetical order."""
    return sorted(_files())


def builtin_document(slug: str) -> dict[str, Any]:
    """The document as it stands in the file, fresh for each caller; KeyError for an unknown slug."""
    document: dict[str, Any] = json.loads(_files()[slug].read_text(encoding="utf-8"))
    return document


@cache
def builtin(slug: str) -> InstructFormat:
    """The format, read once; KeyError for an unknown slug."""
    return import_instruct_format(builtin_document(slug))


@cache
def _files() -> dict[str, Traversable]:
    return {entry.name.removesuffix(".json"): entry for entry in _walk(files(__package__))}


def _walk(folder: Traversable) -> Iterator[Traversable]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry)
        elif entry.name.endswith(".json"):
            yield entry
