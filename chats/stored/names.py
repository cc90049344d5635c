"""Names of the kinds that this floor stores or refers to."""

from __future__ import annotations

from typing import Final

from formats.kinds import CONTEXT_TEMPLATE, INSTRUCT_FORMAT, PRESET, PROMPT_CONFIG

CHARACTER: Final = "character"
PERSONA: Final = "persona"
LOREBOOK: Final = "lorebook"
MEMORY: Final = "memory"
INTERCEPTOR: Final = "interceptor"
CHAT: Final = "chat"
FORMAT: Final = INSTRUCT_FORMAT

__all__ = [
    "CHARACTER",
    "CHAT",
    "CONTEXT_TEMPLATE",
    "FORMAT",
    "INTERCEPTOR",
    "LOREBOOK",
    "MEMORY",
    "PERSONA",
    "PRESET",
    "PROMPT_CONFIG",
]
