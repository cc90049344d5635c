"""PURE documents of what surrounds a conversation: the prompt config and its blocks."""

from __future__ import annotations

from formats.context.blocks import CORE_BLOCKS, DEFAULT_BLOCKS, Block
from formats.context.prompt_config import PromptConfig

__all__ = ["CORE_BLOCKS", "DEFAULT_BLOCKS", "Block", "PromptConfig"]
