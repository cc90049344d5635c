"""All built-in macros by name."""

from __future__ import annotations

from collections.abc import Iterable

from chats.macros.builtin import chat, clock, fields, luck, names, shorthand, text, variables
from chats.macros.call import Macro
from chats.macros.scope import normal

BUILTIN: dict[str, Macro] = {
    name: macro
    for theme in (names, fields, chat, clock, luck, text, variables, shorthand)
    for name, macro in theme.MACROS.items()
}
SYNTAX = frozenset({"if", "else", "trim", "noop"})
"""Names that are part of the language."""


def reserved(custom: Iterable[str]) -> list[str]:
    """Return the names of custom variables that a built-in macro hides."""
    return [name for name in custom if normal(name).casefold() in BUILTIN or normal(name).casefold() in SYNTAX]
