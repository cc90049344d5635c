"""SillyTavern's master export in: one file with a template of each sort."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.interchange.reading import Loss, Part, is_object
from formats.interchange.st_instruct import split_instruct
from formats.interchange.st_small import REASONING, is_reasoning

SECTIONS: Final = ("instruct", "context", "sysprompt", "preset", "reasoning")


def is_master(document: Any) -> bool:
    """Return whether `document` is a master export."""
    if not is_object(document) or "input_sequence" in document or "story_string" in document:
        return False
    found = [key for key in SECTIONS if isinstance(document.get(key), Mapping)]
    return bool(found) and ("instruct" in found or "context" in found or len(found) > 1)


def split_master(document: Any) -> list[Part] | None:
    """Return each section as a document; an unknown section is a loss of the first."""
    if not is_master(document):
        return None
    parts = []
    reasoning = document.get("reasoning")
    goes_along = isinstance(document.get("instruct"), Mapping) and is_reasoning(reasoning)
    for key in SECTIONS:
        section = document.get(key)
        if not isinstance(section, Mapping) or (key == "reasoning" and goes_along):
            continue
        name = section["name"] if isinstance(section.get("name"), str) else key
        if key == "instruct" and goes_along:
            section = {**section, REASONING: reasoning}
        parts += split_instruct(section) or [Part(name, section)]
    unknown = [key for key in document if key not in SECTIONS]
    losses = tuple(Loss(str(key), "is no section of a master export that is known here") for key in unknown)
    return [parts[0]._replace(losses=losses), *parts[1:]] if parts else None
