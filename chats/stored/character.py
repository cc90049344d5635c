"""Kind `character`: the fields of a card, found by any of its texts."""

from __future__ import annotations

from typing import Any

from chats.documents import Character
from chats.interchange.card import export_card
from chats.interchange.card_png import export_card_png
from chats.interchange.worldinfo import export_world_info
from chats.stored.names import CHARACTER, LOREBOOK
from chats.stored.reading import detector, exporter, mentions, read, valid
from formats.stored.files import export_bare, json_file
from formats.stored.slugs import with_slug
from neotavern.ground.errors import invalid
from neotavern.library.kinds import Exported, Kind, Loss, ValidDocument

NAME = CHARACTER


def validate(document: Any) -> ValidDocument:
    """Return the character as given. Raises VALIDATION with every fault."""
    parsed = read(Character, document)
    return valid(
        parsed,
        NAME,
        name=parsed.name,
        description=parsed.creator_notes,
        texts=[parsed.nickname, *parsed.aliases, parsed.description, parsed.personality, parsed.scenario],
        mentions=mentions("lorebooks", LOREBOOK, parsed.lorebooks),
    )


def _world_info(document: dict[str, Any]) -> Any:
    book = Character.model_validate(document).book()
    if book is None:
        raise invalid("as", "This character has no book of its own.")
    return export_world_info(book.model_dump(mode="json", by_alias=True))


def _card(document: dict[str, Any], version: str | None) -> Exported:
    if version not in (None, "2", "3"):
        raise invalid("version", "Cards are written in version 2 or 3.", known=["2", "3"])
    card, losses = export_card(document, version or "3")
    return json_file(card, [Loss(*loss) for loss in losses])


def _png(document: dict[str, Any], version: str | None) -> Exported:
    body, losses = export_card_png(document)
    return Exported(body, "image/png", "png", [Loss(*loss) for loss in losses])


KIND = Kind(
    name=NAME,
    title="character",
    plural_path="characters",
    validate=validate,
    detect=detector(NAME),
    with_slug=with_slug,
    exporters={
        "neotavern": export_bare,
        "card": _card,
        "card-png": _png,
        "worldinfo": exporter(_world_info),
    },
)
