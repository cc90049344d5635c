"""Prompt config: the instructions of a chat and the order in which its prompt is put together."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field, JsonValue, StringConstraints

from formats.context.blocks import BLOCK_LIMIT, DEFAULT_BLOCKS, BlockContent, BlockList
from formats.prompt.fields import Closed, Slug, Tag, Text, sequence

NAME: Final = "prompt-config"
VERSION: Final = 1
MAX_TOKENS: Final = 10_000_000

__all__ = ["BLOCK_LIMIT", "NAME", "VERSION", "PromptConfig"]


class PromptConfig(Closed):
    """The document. An inline one in a request needs no name; `blocks` null is the built-in list.

    Post-history instructions stand `postHistoryDepth` messages from the end, once the conversation has
    `postHistoryTokenTrigger` tokens (0: always).
    """

    kind: Literal["prompt-config"] = "prompt-config"
    version: Literal[1] = 1
    id: Slug | None = None
    name: Annotated[Text, StringConstraints(max_length=255)] = ""
    description: Annotated[Text, Field(max_length=10_000)] = ""
    tags: tuple[Tag, ...] = sequence(limit=64)
    system_prompt: BlockContent = ""
    post_history_instructions: BlockContent = ""
    post_history_depth: Annotated[int, Field(ge=0, le=9_999)] = 0
    post_history_token_trigger: Annotated[int, Field(ge=0, le=MAX_TOKENS)] = 0
    blocks: BlockList | None = None
    extensions: dict[str, JsonValue] = Field(default_factory=dict)

    @property
    def block_list(self) -> BlockList:
        """The blocks that hold."""
        return DEFAULT_BLOCKS if self.blocks is None else self.blocks
