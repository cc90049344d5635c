"""Chat settings: everything of a chat but its messages, which are rows of their own."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chats.documents.fields import (
    LIST_LIMIT,
    Count,
    Depth,
    Label,
    LongText,
    Name,
    Reference,
    Role,
    Stored,
    VariableText,
)
from formats.prompt.fields import Closed, sequence

NotePosition = Literal["before", "after", "at_depth"]
VARIABLE_LIMIT = 64


class AuthorsNote(Closed):
    """A text that steers the chat from where it stands: before or after the lore, or among the newest messages."""

    content: LongText = ""
    position: NotePosition = "at_depth"
    depth: Depth = 4
    role: Role = "system"
    interval: Count = Field(default=1, description="stands in the prompt of every n-th user message; 0 = never")


class ChatSettings(Stored):
    """Who takes part, which lore and which preset. Private to its author until `shared`."""

    kind: Literal["chat"] = "chat"
    version: Literal[1] = 1
    name: Name
    description: LongText = ""
    character: Reference | None = None
    characters: tuple[Reference, ...] = sequence(limit=LIST_LIMIT)
    persona: Reference | None = None
    lorebooks: tuple[Reference, ...] = sequence(limit=LIST_LIMIT)
    memories: tuple[Reference, ...] = sequence(limit=LIST_LIMIT)
    interceptors: tuple[Reference, ...] = sequence(limit=LIST_LIMIT)
    preset: Reference | None = None
    format: Reference | None = None
    context_template: Reference | None = None
    prompt_config: Reference | None = None
    infill: Literal["auto", "keyword", "vector", "hybrid"] | None = None
    scenario: LongText | None = Field(default=None, description="replaces the character's scenario")
    authors_note: AuthorsNote = AuthorsNote()
    variables: dict[Label, VariableText] = Field(default_factory=dict, max_length=VARIABLE_LIMIT)
    shared: bool = False
