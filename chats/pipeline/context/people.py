"""Who a book's {{char:N}} is: someone of the cast, the persona, or somebody in the background."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from chats.documents import Character, Lorebook, Persona
from chats.documents.lorebook import Binding
from chats.pipeline.cast import Cast

Person = Character | Persona
TOKEN: Final = re.compile(r"\{\{char:(\d{1,7})\}\}|(?<!\{)\{char:(\d{1,7})\}(?!\})", re.IGNORECASE)
"""A person of the book, as its texts write it."""


class People:
    """The persons of one book, seen by one cast."""

    def __init__(self, book: Lorebook, cast: Cast) -> None:
        self.bindings: Mapping[int, Binding] = {one.number: one for one in book.bindings}
        self._cast = [one for one in (cast.character, *cast.others, cast.persona) if one is not None]
        self._speaker = cast.character
        self._persons = {number: self._find(one) for number, one in self.bindings.items()}

    def person(self, number: int | None) -> Person | None:
        """Return who of the cast stands behind a number; None for somebody in the background, or for no one."""
        return None if number is None else self._persons.get(number)

    def full_name(self, number: int) -> str:
        """Return the whole name behind a number of the book, as the facts have it."""
        person = self._persons.get(number)
        return person.name if person is not None else self.bindings[number].name

    def name(self, number: int) -> str | None:
        """Return the name that a number stands for; None for a number that the book does not have."""
        person = self._persons.get(number)
        if person is not None:
            return shown_name(person)
        return self.bindings[number].name if number in self.bindings else None

    def is_speaker(self, number: int) -> bool:
        """Return whether the one behind a number speaks next."""
        return self._speaker is not None and self._persons.get(number) is self._speaker

    def may_tell(self, number: int | None) -> bool:
        """Return whether what is bound to a number may be told now: a character's lore is for its own turns alone."""
        person = self.person(number)
        return person is None or isinstance(person, Persona) or person is self._speaker

    def named(self, text: str) -> str:
        """Return `text` with each {{char:N}} as the name; a number that the book does not have stays as typed."""
        if "char:" not in text.lower():
            return text
        return TOKEN.sub(lambda found: self.name(int(found[1] or found[2])) or found[0], text)

    def _find(self, binding: Binding) -> Person | None:
        """Return whom of the cast a binding means: by its reference where both sides have one, else by name."""
        for kind, reference in ((Character, binding.character), (Persona, binding.persona)):
            if reference is None:
                continue
            slug = reference.partition("@")[0]
            found = next((one for one in self._cast if isinstance(one, kind) and one.id == slug), None)
            if found is not None:
                return found
        names = {name.casefold() for name in (binding.name, *binding.aliases) if name.strip()}
        return next((one for one in self._cast if self._may_be(one, binding) and names & names_of(one)), None)

    @staticmethod
    def _may_be(person: Person, binding: Binding) -> bool:
        """Return whether a name may decide: not where the binding names another object of the library."""
        reference = binding.character if isinstance(person, Character) else binding.persona
        other = binding.persona if isinstance(person, Character) else binding.character
        return other is None and (reference is None or person.id is None)


def names_of(person: Person) -> set[str]:
    """Return every name that a person is known by, case folded."""
    given = (person.name, person.nickname, *person.aliases) if isinstance(person, Character) else (person.name,)
    return {name.strip().casefold() for name in given if name.strip()}


def shown_name(person: Person) -> str:
    """Return the name that a person speaks under."""
    return person.shown_name if isinstance(person, Character) else person.name
