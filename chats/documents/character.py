"""Character: the fields of a V2 or V3 card's `data`, and ours beside them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator

from chats.documents.books import read_book
from chats.documents.errors import DocumentError
from chats.documents.fields import (
    LIST_LIMIT,
    Depth,
    Extensions,
    LongText,
    Name,
    Reference,
    Role,
    ShortText,
    Stored,
)
from chats.documents.lorebook import InlineLorebook
from formats.prompt.fields import Closed, sequence

_ROLES: tuple[Role, ...] = ("system", "user", "assistant")


class Asset(Closed):
    """A picture or another file that a V3 card names."""

    type: ShortText
    uri: LongText
    name: ShortText = ""
    ext: ShortText = ""


class DepthPrompt(Closed):
    """A card's own note, which stands `depth` messages from the end."""

    prompt: LongText = ""
    depth: Depth = 4
    role: Role = "system"


class Character(Stored):
    """A character. Keys of a card that no version defines are kept under `extra`, those of programs in `extensions`."""

    kind: Literal["character"] = "character"
    version: Literal[1] = 1
    name: Name
    nickname: ShortText = Field(default="", description="what {{char}} means, where given")
    aliases: tuple[ShortText, ...] = sequence(limit=LIST_LIMIT)
    description: LongText = ""
    personality: LongText = ""
    scenario: LongText = ""
    first_mes: LongText = ""
    mes_example: LongText = ""
    creator_notes: LongText = ""
    system_prompt: LongText = ""
    post_history_instructions: LongText = ""
    alternate_greetings: tuple[LongText, ...] = sequence(limit=LIST_LIMIT)
    group_only_greetings: tuple[LongText, ...] = sequence(limit=LIST_LIMIT)
    character_book: dict[str, Any] | None = Field(default=None, description="a card's own book, as the card gives it")
    lorebooks: tuple[Reference, ...] = sequence(limit=LIST_LIMIT)
    creator: ShortText = ""
    character_version: ShortText = ""
    creator_notes_multilingual: dict[str, LongText] = Field(default_factory=dict)
    source: tuple[LongText, ...] = sequence(limit=LIST_LIMIT)
    creation_date: int | None = None
    modification_date: int | None = None
    assets: tuple[Asset, ...] = sequence(limit=LIST_LIMIT)
    extra: Extensions = Field(default_factory=dict)

    @field_validator("character_book")
    @classmethod
    def _book_is_readable(cls, value: dict[str, Any] | None) -> dict[str, Any] | None:
        if value is not None:
            try:
                read_book(value)
            except DocumentError as error:
                raise ValueError(str(error)) from None
        return value

    @property
    def shown_name(self) -> str:
        """The name that {{char}} stands for."""
        return self.nickname.strip() or self.name

    def book(self) -> InlineLorebook | None:
        """Return the card's own book in our shape."""
        if self.character_book is None:
            return None
        book = read_book(self.character_book)[0]
        return book if book.name else book.model_copy(update={"name": self.name})

    @property
    def depth_prompt(self) -> DepthPrompt | None:
        """The character's note, where a card carries one that can be read."""
        note = self.extensions.get("depth_prompt")
        if not isinstance(note, dict) or not isinstance(note.get("prompt"), str) or not str(note["prompt"]).strip():
            return None
        depth, role = note.get("depth"), note.get("role")
        return DepthPrompt(
            prompt=str(note["prompt"]),
            depth=depth if type(depth) is int and 0 <= depth <= 9_999 else 4,
            role=next((known for known in _ROLES if known == role), "system"),
        )
