"""Macros: `{{user}}`, variables, dates, chance and conditions in source texts, expanded exactly once."""

from chats.macros.expansion import Expansion, expand
from chats.macros.registry import reserved
from chats.macros.scope import Line, MacroScope, Store

__all__ = ["Expansion", "Line", "MacroScope", "Store", "expand", "reserved"]
