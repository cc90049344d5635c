"""Lorebook settings, lore entries, and the book with its entries inside, as requests and files carry it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from chats.documents.fields import (
    KEY_LIMIT,
    LIST_LIMIT,
    NUMBER_LIMIT,
    Depth,
    Extensions,
    GenerationType,
    Key,
    LongText,
    Name,
    Rank,
    Reference,
    Role,
    ShortText,
    Stored,
)
from formats.prompt.fields import Closed, sequence

ENTRY_LIMIT = 20_000

LoreKind = Literal["world", "character", "history"]
SecondaryLogic = Literal["and_any", "not_all", "not_any", "and_all"]
Position = Literal[
    "before_character", "after_character", "note_top", "note_bottom", "at_depth", "examples_top", "examples_bottom"
]
Place = Literal["persona", "description", "personality", "character_note", "scenario", "creator_notes"]
"""Texts besides the messages that an entry may ask to be scanned for its keys."""


def _level(value: Any) -> Any:
    """Return 1 for true and 0 for false or nothing: other programs write a switch where there are levels."""
    return int(value) if isinstance(value, bool) else 0 if value is None else value


Level = Annotated[int, BeforeValidator(_level), Field(ge=0, le=100)]
OptionalCount = Annotated[int, Field(ge=0, le=NUMBER_LIMIT)] | None


class LoreDate(Closed):
    """When a history entry takes place: a year, a month in it, a day in that."""

    year: Annotated[int, Field(ge=-NUMBER_LIMIT, le=NUMBER_LIMIT)]
    month: Annotated[int, Field(ge=1, le=12)] | None = None
    day: Annotated[int, Field(ge=1, le=31)] | None = None

    @model_validator(mode="after")
    def _day_has_a_month(self) -> Self:
        if self.day is not None and self.month is None:
            raise ValueError("a day needs a month")
        return self


class CharacterFilter(Closed):
    """Who must speak next (or, with `exclude`, must not) for an entry to take part; empty lists allow everyone."""

    names: tuple[ShortText, ...] = sequence(limit=LIST_LIMIT)
    tags: tuple[ShortText, ...] = sequence(limit=LIST_LIMIT)
    exclude: bool = False


class LoreEntry(Closed):
    """One piece of lore: its text, what calls it, where it stands. null means: as the book says."""

    uid: Annotated[ShortText, Field(min_length=1)] | None = None
    name: ShortText = ""
    kind: LoreKind = "world"
    category: ShortText = ""
    content: LongText = ""
    enabled: bool = True

    keys: tuple[Key, ...] = sequence(limit=KEY_LIMIT)
    secondary_keys: tuple[Key, ...] = sequence(limit=KEY_LIMIT)
    secondary_logic: SecondaryLogic = "and_any"
    selective: bool = Field(default=True, description="false: the secondary keys are passed over")
    case_sensitive: bool | None = None
    whole_words: bool | None = None
    use_regex: bool | None = None
    scan_depth: OptionalCount = Field(default=None, description="messages from the end that are searched")
    also_scan: tuple[Place, ...] = sequence(limit=16)

    constant: bool = False
    pinned: bool = False
    probability: float = Field(default=100, ge=0, le=100, allow_inf_nan=False)
    triggers: tuple[GenerationType, ...] = sequence(limit=16)
    character_filter: CharacterFilter = CharacterFilter()

    position: Position = "before_character"
    depth: Depth = 4
    role: Role = "system"
    order: Rank = Field(default=100, description="lower stands earlier in the prompt")
    priority: Rank = Field(default=0, description="higher is kept when the budget is short")
    ignore_budget: bool = False

    exclude_recursion: bool = Field(default=False, description="other entries' texts do not call it")
    prevent_recursion: bool = Field(default=False, description="its text calls no others")
    delay_until_recursion: Level = Field(default=0, description="0 at once; n: from the n-th level of recursion on")

    groups: tuple[ShortText, ...] = sequence(limit=64)
    group_override: bool = False
    group_weight: Annotated[int, Field(ge=0, le=NUMBER_LIMIT)] = 100
    group_scoring: bool | None = None

    sticky: OptionalCount = None
    cooldown: OptionalCount = None
    delay: OptionalCount = None

    binding: Annotated[int, Field(ge=1, le=NUMBER_LIMIT)] | None = Field(
        default=None, description="whom a character entry is about: N of the book's {{char:N}}"
    )
    date: LoreDate | None = None
    extensions: Extensions = Field(default_factory=dict)


class Binding(Closed):
    """A person of the book, written {{char:N}} in its entries: bound to a character or persona, or a name alone."""

    number: Annotated[int, Field(ge=1, le=NUMBER_LIMIT)]
    character: Reference | None = None
    persona: Reference | None = None
    name: Name
    aliases: tuple[ShortText, ...] = sequence(limit=LIST_LIMIT)
    summary: ShortText = ""
    state: Literal["active", "deceased", "missing", "departed"] = "active"
    visibility: Literal["normal", "legendary", "hidden"] = "normal"

    @model_validator(mode="after")
    def _bound_once(self) -> Self:
        if self.character is not None and self.persona is not None:
            raise ValueError("bind it to a character or to a persona, not to both")
        return self


class Relationship(Closed):
    """What one person of the book is to another."""

    source: Annotated[int, Field(ge=1, le=NUMBER_LIMIT)]
    target: Annotated[int, Field(ge=1, le=NUMBER_LIMIT)]
    type: Name
    state: Literal["active", "resolved", "broken", "evolved"] = "active"
    visibility: Literal["secret", "acknowledged", "public"] = "public"
    description: LongText = ""
    reason: LongText = ""


class Lorebook(Stored):
    """Settings of a book; its entries are rows of their own."""

    kind: Literal["lorebook"] = "lorebook"
    version: Literal[1] = 1
    name: ShortText = ""
    description: LongText = ""
    scan_depth: OptionalCount = None
    token_budget: OptionalCount = Field(default=None, description="tokens for this book's entries; null = no limit")
    recursive: bool | None = None
    case_sensitive: bool = False
    whole_words: bool = False
    use_regex: bool = False
    group_scoring: bool = False
    bindings: tuple[Binding, ...] = sequence(limit=1_000)
    relationships: tuple[Relationship, ...] = sequence(limit=5_000)

    @model_validator(mode="after")
    def _numbers_are_unique(self) -> Self:
        numbers = [binding.number for binding in self.bindings]
        if len(numbers) != len(set(numbers)):
            raise ValueError("two bindings have the same number")
        unknown = {end for edge in self.relationships for end in (edge.source, edge.target)} - set(numbers)
        if unknown:
            raise ValueError(f"a relationship names binding {min(unknown)}, which the book does not have")
        return self


class InlineLorebook(Lorebook):
    """A book with its entries inside."""

    entries: tuple[LoreEntry, ...] = sequence(limit=ENTRY_LIMIT)

    @model_validator(mode="after")
    def _uids_are_unique(self) -> Self:
        seen: set[str] = set()
        for entry in self.entries:
            if entry.uid in seen:
                raise ValueError(f"two entries have the uid {entry.uid!r}")
            if entry.uid is not None:
                seen.add(entry.uid)
        return self

    @property
    def settings(self) -> Lorebook:
        """The book without its entries."""
        return Lorebook.model_validate({name: getattr(self, name) for name in Lorebook.model_fields})
