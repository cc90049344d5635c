"""PURE documents of a chat: what a character, persona, lorebook, lore entry, memory and chat hold, and their limits."""

from __future__ import annotations

from chats.documents.books import read_book
from chats.documents.character import Character
from chats.documents.chat import ChatSettings
from chats.documents.errors import DocumentError
from chats.documents.foreign import Loss
from chats.documents.lorebook import InlineLorebook, Lorebook, LoreEntry
from chats.documents.memory import Memory
from chats.documents.persona import Persona
from chats.documents.reading import DOCUMENTS, Document, dump, keep_unknown, validate

__all__ = [
    "DOCUMENTS",
    "Character",
    "ChatSettings",
    "Document",
    "DocumentError",
    "InlineLorebook",
    "LoreEntry",
    "Lorebook",
    "Loss",
    "Memory",
    "Persona",
    "dump",
    "keep_unknown",
    "read_book",
    "validate",
]
