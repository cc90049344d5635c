"""Character cards: V1, V2 and V3 in, V2 and V3 out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from chats.documents import Character, keep_unknown
from chats.documents.fields import LIST_LIMIT, LONG_TEXT, SHORT_TEXT
from chats.documents.foreign import Loss
from chats.interchange.reading import Reader, is_object

SPECS: Final = {"chara_card_v2": "2", "chara_card_v3": "3"}
TEXTS: Final = (
    "name", "description", "personality", "scenario", "first_mes", "mes_example", "creator_notes", "system_prompt",
    "post_history_instructions", "creator", "character_version", "nickname",
)  # fmt: skip
V2_FIELDS: Final = (
    "name", "description", "personality", "scenario", "first_mes", "mes_example", "creator_notes", "system_prompt",
    "post_history_instructions", "alternate_greetings", "character_book", "tags", "creator", "character_version",
    "extensions",
)  # fmt: skip
V3_FIELDS: Final = (
    *V2_FIELDS, "assets", "nickname", "creator_notes_multilingual", "source", "group_only_greetings", "creation_date",
    "modification_date",
)  # fmt: skip
V2_ALWAYS: Final = frozenset(V2_FIELDS) - {"character_book"}
"""V2 readers take these for granted."""

_LISTS: Final = ("alternate_greetings", "group_only_greetings", "source", "aliases")
_V1_NOISE: Final = frozenset({
    "avatar", "chat", "create_date", "talkativeness", "fav", "spec", "spec_version", "data", "creatorcomment",
    "json_data", "mes_example", "char_name", "char_persona", "world_scenario", "example_dialogue", "char_greeting",
})  # fmt: skip


def is_card(document: Any) -> bool:
    """Return whether `document` is a V2 or V3 card."""
    if not is_object(document, "spec", "data") or not isinstance(document["spec"], str):
        return False
    return document["spec"] in SPECS and isinstance(document["data"], Mapping)


def is_v1(document: Any) -> bool:
    """Return whether `document` is a card from before there were versions."""
    return is_object(document, "name", "first_mes") and "spec" not in document and "kind" not in document


def read_card(document: Any, name: str = "") -> tuple[dict[str, Any], list[Loss]]:
    """Return the character of a V2 or V3 card and what it lost."""
    return _read(document["data"], "data")


def read_v1(document: Any, name: str = "") -> tuple[dict[str, Any], list[Loss]]:
    """Return the character of a V1 card and what it lost."""
    kept = {key: value for key, value in document.items() if key in TEXTS or key not in _V1_NOISE}
    return _read(kept, "")


def _read(card: Mapping[str, Any], path: str) -> tuple[dict[str, Any], list[Loss]]:
    losses: list[Loss] = []
    place = f"{path}." if path else ""
    ready: dict[str, Any] = {}
    for key, value in card.items():
        if key in ("id", "kind", "version") or value is None:
            continue
        made = _fit(key, value)
        if made is None:
            losses.append(Loss(f"{place}{key}", "has a type that a card does not have there"))
        else:
            ready[key] = made
    _assets(ready, losses, place)
    document, unknown = keep_unknown(ready)
    losses += [Loss(f"{place}{key}", "is no field of a card: it is kept under `extra`") for key in unknown]
    return {"kind": "character", "version": 1, **document}, losses


def _fit(key: str, value: Any) -> Any:
    """Return the value of a card's field in the type that it must have; None for one that can not be read."""
    if key in TEXTS:
        return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None
    if key == "tags":
        listed = value if isinstance(value, list) else str(value).split(",") if isinstance(value, str) else None
        return None if listed is None else _tags(listed)
    if key in _LISTS:
        return [one for one in value if isinstance(one, str)][:LIST_LIMIT] if isinstance(value, list) else None
    if key in ("extensions", "character_book", "creator_notes_multilingual"):
        return dict(value) if isinstance(value, Mapping) else None
    if key in ("creation_date", "modification_date"):
        return int(value) if isinstance(value, int | float) and abs(value) < 2**53 else None
    return value


def _tags(listed: list[Any]) -> list[str]:
    tags = (one.strip()[:64] for one in listed if isinstance(one, str))
    return list(dict.fromkeys(tag for tag in tags if tag))[:64]


def _assets(card: dict[str, Any], losses: list[Loss], place: str) -> None:
    """Keep the assets that a document can hold: a picture written into the card itself is too long for one."""
    if "assets" not in card:
        return
    kept = []
    for at, asset in enumerate(card["assets"] if isinstance(card["assets"], list) else []):
        if is_object(asset, "uri") and isinstance(asset["uri"], str) and len(asset["uri"]) <= LONG_TEXT:
            words = {key: str(asset.get(key) or "")[:SHORT_TEXT] for key in ("type", "name", "ext")}
            kept.append({"uri": asset["uri"], **words})
        else:
            losses.append(Loss(f"{place}assets[{at}]", "can not be kept"))
    card["assets"] = kept[:LIST_LIMIT]


def export_card(document: Mapping[str, Any], version: str = "3") -> tuple[dict[str, Any], list[Loss]]:
    """Return a character as a card of version 2 or 3, and what a card can not say."""
    character = Character.model_validate(dict(document))
    given = character.model_dump(mode="json")
    fields = V2_FIELDS if version == "2" else V3_FIELDS
    has = character.model_fields_set
    data = {key: given[key] for key in fields if key in has or key in V2_ALWAYS}
    if version == "3":
        data.setdefault("group_only_greetings", [])
    losses = [
        Loss(key, "a card has no such field")
        for key in sorted(has - set(fields) - {"kind", "version", "id", "extra"})
        if given[key]
    ]
    spec = {"spec": f"chara_card_v{version}", "spec_version": f"{version}.0"}
    return {**spec, "data": {**data, **given["extra"]}}, losses


READERS: Final = (
    Reader("character", "character card", "card", is_card, read_card),
    Reader("character", "character card V1", "card", is_v1, read_v1),
)
