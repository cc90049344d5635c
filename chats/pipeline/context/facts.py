"""The facts of a context template: people with the lore that is theirs, the world, and what happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from chats.documents import Character, Persona
from chats.infill.types import Candidate
from chats.pipeline.cast import Cast
from chats.pipeline.context.people import Person, shown_name
from formats.context.facts import compact, filled, indented, keyed, phrase

EXTRA_LORE: Final = "extra lore"
IN_PROMPT: Final = ("prompt", "note_top", "note_bottom")
"""Places of a persona's description that mean its facts here; at a depth it stands among the messages instead."""


def lore_facts(cast: Cast, chosen: Sequence[Candidate]) -> dict[str, str]:
    """Return `characters`, `personas`, `worldLore` and `history` with the chosen lore, best first; empty is empty."""
    own = [one for one in chosen if one.kind == "character"]
    people = [one for one in (cast.character, *cast.others) if one is not None]
    return {
        "characters": indented([_character(one, own) for one in people]),
        "personas": indented([_persona(cast.persona, own)] if cast.persona is not None else []),
        "worldLore": compact(_keyed(one for one in chosen if one.kind == "world")),
        "history": compact(_keyed(one for one in chosen if one.kind == "history")),
    }


def names(cast: Cast, user: str, char: str) -> dict[str, str]:
    """Return the name variables: who speaks, whom they speak with, and everybody of either sort."""
    people = [one.shown_name for one in (cast.character, *cast.others) if one is not None]
    return {
        "char": char,
        "character": char,
        "user": user,
        "persona": user,
        "characterNames": phrase(people),
        "personaNames": cast.user,
    }


def _character(character: Character, lore: Sequence[Candidate]) -> dict[str, Any]:
    return filled([
        ("name", character.name),
        ("nickname", character.nickname.strip()),
        ("aliases", [name for name in character.aliases if name.strip()]),
        ("description", character.description.strip()),
        ("personality", character.personality.strip()),
        (EXTRA_LORE, _about(character, lore)),
    ])  # fmt: skip


def _persona(persona: Persona, lore: Sequence[Candidate]) -> dict[str, Any]:
    description = persona.description.strip() if persona.position in IN_PROMPT else ""
    return filled([("name", persona.name), ("description", description), (EXTRA_LORE, _about(persona, lore))])


def _about(person: Person, lore: Sequence[Candidate]) -> dict[str, str]:
    return _keyed(one for one in lore if one.source.person is person)


def _keyed(lore: Iterable[Candidate]) -> dict[str, str]:
    return keyed((one.source.key, one.text.strip()) for one in lore)


def speaker_key(person: Person | None) -> str:
    """Return what engines know a speaker by."""
    return shown_name(person).casefold() if person is not None else ""
