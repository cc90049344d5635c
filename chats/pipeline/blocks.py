"""Prompt blocks: the ordered list that says what a prompt is made of, and the built-in one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from chats.documents.fields import GenerationType, Role

MAIN: Final = "main-prompt"
LORE_BEFORE: Final = "world-info-before"
PERSONA: Final = "persona"
DESCRIPTION: Final = "character-description"
PERSONALITY: Final = "character-personality"
SCENARIO: Final = "scenario"
LORE_AFTER: Final = "world-info-after"
EXAMPLES: Final = "dialogue-examples"
MEMORY: Final = "memory"
NOTE: Final = "authors-note"
HISTORY: Final = "chat-history"
POST_HISTORY: Final = "post-history-instructions"

HOST_BLOCKS: Final = (
    MAIN, LORE_BEFORE, PERSONA, DESCRIPTION, PERSONALITY, SCENARIO, LORE_AFTER, EXAMPLES, MEMORY, NOTE, HISTORY,
    POST_HISTORY,
)  # fmt: skip
"""The blocks that the server fills itself, in their built-in order."""

MAIN_PROMPT: Final = "Write {{char}}'s next reply in a fictional chat between {{char}} and {{user}}."


@dataclass(frozen=True, slots=True)
class Block:
    """One block. One that is no host block gives its `content`.

    `role` None is the block's own. `in_chat` puts it `depth` messages before the end; of equal depth a lower `order`
    stands first. Empty `triggers` are all generation types; `model` is the one model that the block is for.
    `forbid_overrides` keeps a card's own prompt from replacing it; `min_tokens` is how long the chat has to be.
    """

    id: str
    name: str = ""
    enabled: bool = True
    role: Role | None = None
    content: str = ""
    in_chat: bool = False
    depth: int = 4
    order: int = 100
    triggers: tuple[GenerationType, ...] = ()
    model: str = ""
    forbid_overrides: bool = False
    needs_character: bool = False
    min_tokens: int = 0

    @property
    def is_host(self) -> bool:
        """Whether the server fills it."""
        return self.id in HOST_BLOCKS

    def refusal(self, generation_type: str, model: str) -> str:
        """Return why the block takes no part; empty when it does."""
        if not self.enabled:
            return "disabled"
        if self.triggers and generation_type not in self.triggers:
            return "trigger"
        if self.model and self.model != model:
            return "model-mismatch"
        return ""


BUILTIN_BLOCKS: Final = (
    Block(MAIN, content=MAIN_PROMPT, needs_character=True),
    *(Block(id_) for id_ in HOST_BLOCKS if id_ != MAIN),
)
"""What holds where no prompt config says otherwise."""
