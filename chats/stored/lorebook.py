"""Kind `lorebook`: settings in the document, entries in rows; create, save, files and clones take both at once."""

from __future__ import annotations

from typing import Any

from chats.documents import InlineLorebook, Lorebook, LoreEntry
from chats.interchange.lorebook import export_lorebook_v3
from chats.interchange.worldinfo import export_world_info
from chats.lore_rows import LoreRows
from chats.stored.names import CHARACTER, LOREBOOK, PERSONA
from chats.stored.reading import detector, exporter, mention, read, valid
from formats.stored.files import export_bare
from formats.stored.slugs import with_slug
from neotavern.library.kinds import Kind, Mention, ValidDocument

NAME = LOREBOOK


def validate(document: Any) -> ValidDocument:
    """Return the settings, and the entries where the document has them inside. Raises VALIDATION with every fault."""
    entries: tuple[LoreEntry, ...] | None = None
    if isinstance(document, dict) and "entries" in document:
        entries = read(InlineLorebook, document).entries
        document = {key: value for key, value in document.items() if key != "entries"}
    parsed = read(Lorebook, document)
    return valid(
        parsed,
        NAME,
        name=parsed.name,
        description=parsed.description,
        mentions=_mentions(parsed),
        parts=entries,
    )


def _mentions(book: Lorebook) -> list[Mention]:
    found: list[Mention] = []
    for at, binding in enumerate(book.bindings):
        found += mention(f"bindings[{at}].character", CHARACTER, binding.character)
        found += mention(f"bindings[{at}].persona", PERSONA, binding.persona)
    return found


KIND = Kind(
    name=NAME,
    title="lorebook",
    plural_path="lorebooks",
    validate=validate,
    detect=detector(NAME),
    with_slug=with_slug,
    parts=LoreRows(),
    exporters={
        "neotavern": export_bare,
        "worldinfo": exporter(export_world_info),
        "card": exporter(export_lorebook_v3),
    },
)
