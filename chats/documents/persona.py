"""Persona: who the user is."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chats.documents.fields import LIST_LIMIT, Depth, LongText, Name, Reference, Role, ShortText, Stored
from formats.prompt.fields import sequence

PersonaPosition = Literal["prompt", "note_top", "note_bottom", "at_depth", "none"]


class Persona(Stored):
    """A name and a description, and where the description stands. Private to its author until `shared`."""

    kind: Literal["persona"] = "persona"
    version: Literal[1] = 1
    name: Name
    title: ShortText = ""
    description: LongText = ""
    position: PersonaPosition = "prompt"
    depth: Depth = Field(default=2, description="messages from the end, for position at_depth")
    role: Role = "system"
    lorebooks: tuple[Reference, ...] = sequence(limit=LIST_LIMIT)
    shared: bool = False
