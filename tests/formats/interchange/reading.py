"""What becomes of a foreign file, all of it, as a value that a golden file can hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from formats.interchange.reading import Reader
from formats.interchange.registry import READERS, read_file, split

FILES = Path(__file__).with_name("files")


def documents(path: Path) -> list[Any]:
    """The documents of a file as an upload gives them."""
    raw = path.read_bytes()
    found = read_file(raw)
    if found is None:
        value = json.loads(raw)
        found = value if isinstance(value, list) else [value]
    return found


def reader(document: Any) -> Reader | None:
    """Whoever knows the document."""
    return next((one for one in READERS if one.knows(document)), None)


def made_of(path: Path) -> list[dict[str, Any]]:
    """What a file becomes: label, kind, document and losses of each part."""
    made = []
    for whole in documents(path):
        parts = split(whole)
        for name, document, losses in [(path.name, whole, ())] if parts is None else parts:
            known = reader(document)
            assert known is not None, f"nobody knows {name!r} of {path.name}"
            read, lost = known.read(document, name)
            notes = [f"{loss.path}: {loss.reason}" for loss in [*losses, *lost]]
            made.append({"label": known.label, "kind": known.kind, "document": read, "loss": notes})
    return made
