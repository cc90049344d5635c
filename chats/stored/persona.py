"""Kind `persona`: who the user is. Private to its author until shared."""

from __future__ import annotations

from typing import Any

from chats.documents import Persona
from chats.stored.names import LOREBOOK, PERSONA
from chats.stored.reading import detector, mentions, read, valid
from formats.stored.files import export_bare
from formats.stored.slugs import with_slug
from neotavern.library.kinds import Kind, ValidDocument

NAME = PERSONA


def validate(document: Any) -> ValidDocument:
    """Return the persona as given. Raises VALIDATION with every fault."""
    parsed = read(Persona, document)
    named = mentions("lorebooks", LOREBOOK, parsed.lorebooks)
    return valid(parsed, NAME, name=parsed.name, description=parsed.title, texts=[parsed.description], mentions=named)


KIND = Kind(
    name=NAME,
    title="persona",
    plural_path="personas",
    validate=validate,
    detect=detector(NAME),
    with_slug=with_slug,
    private_until_shared=True,
    exporters={"neotavern": export_bare},
)
