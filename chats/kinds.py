"""Registers the stored kinds of this floor."""

from __future__ import annotations

from chats.stored import character, chat, interceptor, lorebook, memory, persona
from neotavern.library import kinds


def register_all() -> None:
    """Register every kind once; a second call changes nothing. A kind comes after those that it names."""
    known = {kind.name for kind in kinds.kinds()}
    for kind in (lorebook.KIND, character.KIND, persona.KIND, memory.KIND, interceptor.KIND, chat.KIND):
        if kind.name not in known:
            kinds.register(kind)
