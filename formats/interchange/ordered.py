"""What presets of other programs have in common: sections in an order, stop strings, the size of the context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from formats.context.vocabulary import CORE_BLOCK_NAMES, LAST_BLOCKS
from formats.interchange.reading import Document, Fields, Loss, Reader, heading, is_object, texts
from formats.interchange.wording import stops_of

PRESET: Final = "$preset"
"""Where a part of a file carries a preset that is ready."""


def preset_of(fields: Fields, name: str, stops: str, numbers: Mapping[str, str]) -> tuple[Document, list[Loss]]:
    """Return a preset with the stop strings under `stops` and the sizes under `numbers`, and what of it is lost."""
    made = heading("preset", 1, name, "Preset")
    given = texts(fields.raw(stops))
    made["stopStrings"] = stops_of(text for text in given if "{{" not in text)
    lost = [Loss(stops, f"{text!r} has a macro: stop strings are literal") for text in given if "{{" in text]
    for key, ours in numbers.items():
        number = fields.number(key)
        least = 256 if ours == "maxContextTokens" else 0
        if number is not None and least <= number <= 10_000_000:
            made[ours] = number
    return made, lost


def blocks_in(order: Sequence[tuple[Document, bool]]) -> list[Document]:
    """Return a full list of blocks: those given in their order, every other core block off, the last two at the end.

    A block behind the history stands at depth 0, which is the same place.
    """
    blocks: list[Document] = []
    seen: set[str] = set()
    behind = False
    for block, on in order:
        if block["id"] in seen:
            continue
        seen.add(block["id"])
        is_late = behind and block["id"] not in LAST_BLOCKS and block.get("injectionPosition") != "in-chat"
        blocks.append(
            {**block, "enabled": on, **({"injectionPosition": "in-chat", "injectionDepth": 0} if is_late else {})}
        )
        behind = behind or block["id"] == "chat-history"
    own = [block for block in blocks if block["id"] not in LAST_BLOCKS]
    last = {block["id"]: block for block in blocks if block["id"] in LAST_BLOCKS}
    others = [
        {"id": core, "enabled": core in ("memory", "authors-note")}
        for core in CORE_BLOCK_NAMES if core not in seen and core not in LAST_BLOCKS
    ]  # fmt: skip
    return [*own, *others, *(last.get(core, {"id": core, "enabled": core == "chat-history"}) for core in LAST_BLOCKS)]


def _is_preset(document: Any) -> bool:
    return is_object(document, PRESET) and isinstance(document[PRESET], Mapping)


def _read_preset(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    return dict(document[PRESET]), []


READERS: Final = (Reader("preset", "settings of another program's preset", "preset", _is_preset, _read_preset),)
