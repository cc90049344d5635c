"""What macros may know: names, fields, variables, the chat, the time and a seed. All of it is handed in."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Any, NamedTuple

from chats.macros.limits import MAX_PRODUCED

USER = "User"
CHAR = "Assistant"


class Line(NamedTuple):
    """A message as macros see it."""

    role: str
    text: str


class Store:
    """What lasts from one text of a render to the next: variables that texts set, and what may still be produced."""

    def __init__(self, max_produced: int = MAX_PRODUCED) -> None:
        self.local: dict[str, str] = {}
        self.everywhere: dict[str, str] = {}
        self._left = max_produced
        self._times: Counter[str] = Counter()

    def spend(self, characters: int) -> bool:
        """Return whether so many characters may still be made, and take them off when they may."""
        if characters > self._left:
            return False
        self._left -= characters
        return True

    def occurrence(self, digest: str) -> int:
        """Return how often a text was expanded before, so that two equal ones do not draw the same numbers."""
        self._times[digest] += 1
        return self._times[digest] - 1


@dataclass(frozen=True, slots=True)
class MacroScope:
    """Everything that a macro can be replaced by.

    `fields` has canonical names (docs/macros.md): a name that is absent is unknown and stays as typed, an empty value
    is a value. Values are inserted as they are, so expand a card's fields before they go in. `now` is shown in `zone`
    where one is given; without it the macros of time stay as typed. `store` is shared by all texts of one render.
    """

    user: str = ""
    char: str = ""
    group: tuple[str, ...] = ()
    variables: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    messages: Sequence[Line] = ()
    now: datetime | None = None
    zone: tzinfo | None = None
    last_user_at: datetime | None = None
    seed: int = 0
    store: Store = field(default_factory=Store)
    _exact: Mapping[str, str] = field(init=False, repr=False, compare=False)
    _folded: Mapping[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        exact = {normal(name): shown(value) for name, value in self.variables.items() if value is not None}
        folded: dict[str, str] = {}
        for name, value in exact.items():
            folded.setdefault(name.casefold(), value)
        object.__setattr__(self, "_exact", exact)
        object.__setattr__(self, "_folded", folded)

    @property
    def user_name(self) -> str:
        """The persona's name, or `User`."""
        return self.user or USER

    @property
    def char_name(self) -> str:
        """The character's name, or `Assistant`."""
        return self.char or CHAR

    @property
    def moment(self) -> datetime | None:
        """The time of the render, in the zone to show it in."""
        return self.now.astimezone(self.zone) if self.now and self.zone else self.now

    def variable(self, name: str) -> str | None:
        """Return a custom variable's value: the name as written is looked for first, then in any case."""
        if not self._exact:
            return None
        found = self._exact.get(normal(name))
        return found if found is not None else self._folded.get(normal(name).casefold())

    def with_fields(self, **fields: str) -> MacroScope:
        """Return a scope that knows more fields and shares the store."""
        return replace(self, fields={**self.fields, **fields})


def normal(name: str) -> str:
    """Return a name as it is compared: composed, without white space around."""
    return unicodedata.normalize("NFC", name.strip())


def shown(value: Any) -> str:
    """Return a variable's value as text; JSON's words for true and false."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
