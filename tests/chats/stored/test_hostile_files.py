"""Files with wrong types anywhere are read or refused, never a crash: each sample with one value at a time replaced."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from chats.stored.reading import read_file
from neotavern.ground.errors import AppError
from neotavern.library.kinds import exporter_of
from neotavern.library.services.importing import detect
from neotavern.library.services.prepare import prepare
from tests.chats.stored.test_files import CARD, HEADER

WEIRD: list[Any] = [None, True, -1, 1.5, 1e300, "", [], {}, "x" * 600, [1], {"a": 1}, [[]], [None]]
WORLD_ENTRY = {"uid": 0, "key": ["a"], "position": 4, "characterFilter": {"names": []}, "role": 0, "order": 1}
CARD_ENTRY = {"keys": ["a"], "id": 1, "insertion_order": 1, "position": "before_char", "extensions": {"role": 1}}
FILES: dict[str, Any] = {
    "card": {**CARD, "data": {**CARD["data"], "character_book": {"entries": [CARD_ENTRY]}}},
    "card V1": {"name": "Keeper", "first_mes": "Hi"},
    "card V3": {"spec": "chara_card_v3", "data": {"name": "K", "assets": [{"type": "icon", "uri": "u"}], "source": []}},
    "V3 book": {"spec": "lorebook_v3", "data": {"entries": [CARD_ENTRY], "scan_depth": 1}},
    "world info": {"entries": {"0": WORLD_ENTRY}},
    "NovelAI": {
        "lorebookVersion": 4,
        "entries": [{"text": "t", "keys": ["a"], "contextConfig": {"budgetPriority": 1}}],
    },
    "Agnai": {"kind": "memory", "entries": [{"entry": "t", "keywords": ["a"], "weight": 1}], "scanDepth": 5},
    "Risu": {"type": "risu", "data": [{"key": "a", "content": "@@depth 2\nt", "insertorder": 1, "mode": "normal"}]},
    "chat": [HEADER, {"mes": "Hi", "is_user": True, "extra": {"type": "narrator"}, "swipes": []}],
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every path inside `value`."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield (*path, key)
        yield from places(inner, (*path, key))


def broken(document: Any) -> Iterator[Any]:
    for path in places(document):
        for value in WEIRD:
            made = copy.deepcopy(document)
            target = made
            for key in path[:-1]:
                target = target[key]
            target[path[-1]] = copy.deepcopy(value)
            yield made


@pytest.mark.parametrize("name", FILES)
def test_a_wrong_type_is_read_or_refused(name: str) -> None:
    for document in broken(FILES[name]):
        kind, detected = detect(document)
        if kind is None or detected is None:
            continue
        try:
            made = detected.read(document, "file.json")[0] if detected.read else document
            prepared = prepare(kind, made)
            for style in kind.exporters:
                exporter_of(kind, style)(prepared.valid.document | _inside(kind.name, prepared.valid.parts), None)
        except AppError as error:
            assert error.code.value in {"VALIDATION", "UNSUPPORTED_VERSION"}, error  # noqa: PT017


def _inside(kind: str, parts: Any) -> dict[str, Any]:
    if kind == "lorebook":
        return {"entries": [entry.model_dump(mode="json", by_alias=True, exclude_unset=True) for entry in parts or ()]}
    return {"messages": parts or []} if kind == "chat" else {}


def test_bytes_that_only_begin_well_are_no_document() -> None:
    header = json.dumps(HEADER).encode()
    assert read_file(b"\x00\xff") is None
    assert read_file(header + b"\n{") is None
    assert read_file(b"[" * 100_000) is None
    with pytest.raises(AppError):
        read_file(b"\x89PNG\r\n\x1a\n" + b"\xff" * 40)
