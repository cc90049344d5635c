"""Memory: a text that a chat remembers; pinned ones always take part, the others are ranked."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from chats.documents.fields import (
    KEY_LIMIT,
    Count,
    Depth,
    FilledText,
    Key,
    Reference,
    Role,
    ShortText,
    Stored,
)
from formats.prompt.fields import sequence

Scope = Literal["global", "character", "chat"]
MemoryPosition = Literal["block", "at_depth"]


class Memory(Stored):
    """One memory. Keys may be empty: then it is ranked by its content alone."""

    kind: Literal["memory"] = "memory"
    version: Literal[1] = 1
    name: ShortText = ""
    scope: Scope = "global"
    character: Reference | None = None
    chat: Reference | None = None
    keys: tuple[Key, ...] = sequence(limit=KEY_LIMIT)
    content: FilledText
    enabled: bool = True
    pinned: bool = False
    order: Count = Field(default=100, description="lower stands earlier; among equals the better ranked comes first")
    position: MemoryPosition = "block"
    depth: Depth = Field(default=4, description="messages from the end, for position at_depth")
    role: Role = "system"

    @model_validator(mode="after")
    def _scope_is_named(self) -> Self:
        if self.scope == "character" and self.character is None:
            raise ValueError("a memory of scope character needs `character`")
        if self.scope == "chat" and self.chat is None:
            raise ValueError("a memory of scope chat needs `chat`")
        return self
