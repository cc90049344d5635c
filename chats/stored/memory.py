"""Kind `memory`: a text that chats remember."""

from __future__ import annotations

from typing import Any

from chats.documents import Memory
from chats.stored.names import CHARACTER, CHAT, MEMORY
from chats.stored.reading import detector, mention, read, valid
from formats.stored.files import export_bare
from formats.stored.slugs import with_slug
from neotavern.library.kinds import Kind, ValidDocument

NAME = MEMORY
NAME_FROM_TEXT = 60


def validate(document: Any) -> ValidDocument:
    """Return the memory as given; one without a name is called by how it begins. Raises VALIDATION."""
    parsed = read(Memory, document)
    name = parsed.name or " ".join(parsed.content.split())[:NAME_FROM_TEXT]
    named = [*mention("character", CHARACTER, parsed.character), *mention("chat", CHAT, parsed.chat)]
    return valid(parsed, NAME, name=name, texts=[*parsed.keys, parsed.content], mentions=named)


KIND = Kind(
    name=NAME,
    title="memory",
    plural_path="memories",
    validate=validate,
    detect=detector(NAME),
    with_slug=with_slug,
    exporters={"neotavern": export_bare},
)
