"""Names that documents here use and other packages give a meaning to: one place, so that a test can compare."""

from __future__ import annotations

from typing import Final, Literal, get_args

CoreBlock = Literal[
    "main-prompt",
    "world-info-before",
    "persona",
    "character-description",
    "character-personality",
    "scenario",
    "world-info-after",
    "dialogue-examples",
    "memory",
    "authors-note",
    "chat-history",
    "post-history-instructions",
]
"""Blocks whose text comes from the chat, in their default order."""

GenerationType = Literal["normal", "continue", "regenerate", "impersonate", "quiet"]
BlockRole = Literal["system", "user", "assistant"]
InjectionPosition = Literal["relative", "in-chat"]

CORE_BLOCK_NAMES: Final[tuple[CoreBlock, ...]] = get_args(CoreBlock)
LAST_BLOCKS: Final[tuple[CoreBlock, ...]] = ("chat-history", "post-history-instructions")
"""These two always end the list: what stands after the history would answer the newest message."""
