"""What a render by context template is given besides the sources that every render has."""

from __future__ import annotations

from dataclasses import dataclass

from chats.infill.types import Engine
from formats.context import CompiledContext


@dataclass(frozen=True, slots=True)
class ContextChoice:
    """The template, the engine that chooses lore and older messages, and the slug of the chat where one is stored.

    The prompt config's texts are in the blocks of the sources: its main prompt, its post-history instructions.
    """

    template: CompiledContext
    engine: Engine
    chat: str = ""
