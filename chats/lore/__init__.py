"""PURE lorebook activation: which entries of which books a chat calls, in linear time, and why not the others."""

from __future__ import annotations

from chats.lore.activate import activate
from chats.lore.asking import why
from chats.lore.compiled import CompiledBook, CompiledEntry, EntryRef, compile_book
from chats.lore.outcome import Activation, Code, Hit, Reason, Rejected, StateChange
from chats.lore.placement import Injection, by_position, inject, injections
from chats.lore.settings import Budget, LoreSettings, LoreState, Rolls, SeededRolls, Timed

__all__ = [
    "Activation",
    "Budget",
    "Code",
    "CompiledBook",
    "CompiledEntry",
    "EntryRef",
    "Hit",
    "Injection",
    "LoreSettings",
    "LoreState",
    "Reason",
    "Rejected",
    "Rolls",
    "SeededRolls",
    "StateChange",
    "Timed",
    "activate",
    "by_position",
    "compile_book",
    "inject",
    "injections",
    "why",
]
