"""Who takes part in a chat: the character who speaks next, the rest of the cast, the persona, and what frames them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from chats.documents import Character, Persona
from chats.documents.chat import AuthorsNote

_NOTE_KEYS: Final = ("authors_note", "author_note", "authorsNote")
"""Where cards keep an author's note, the first that has a text wins."""


@dataclass(frozen=True, slots=True)
class Cast:
    """`character` speaks next; `scenario` replaces the character's; `note` is the chat's own author's note."""

    character: Character | None = None
    others: tuple[Character, ...] = ()
    persona: Persona | None = None
    scenario: str | None = None
    note: AuthorsNote | None = None

    @property
    def user(self) -> str:
        """The persona's name, empty without one."""
        return self.persona.name if self.persona is not None else ""

    @property
    def speaker(self) -> str:
        """The name of who speaks next, empty without a character."""
        return self.character.shown_name if self.character is not None else ""

    @property
    def group(self) -> tuple[str, ...]:
        """All names of a group chat, the speaker's first; empty where there is one character or none."""
        if not self.others:
            return ()
        return tuple(name for name in (self.speaker, *(other.shown_name for other in self.others)) if name)

    @property
    def shown_scenario(self) -> str:
        """The scenario that holds: the chat's, else the character's."""
        if self.scenario is not None and self.scenario.strip():
            return self.scenario
        return self.character.scenario if self.character is not None else ""


NOBODY: Final = Cast()


def card_note(character: Character | None) -> str:
    """Return the author's note that a card carries among its extensions."""
    extensions: dict[str, Any] = dict(character.extensions) if character is not None else {}
    texts = (extensions.get(key) for key in _NOTE_KEYS)
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")
