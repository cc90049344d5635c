"""PURE documents of what surrounds a conversation: the prompt config with its blocks, and the context template."""

from __future__ import annotations

from formats.context.blocks import CORE_BLOCKS, DEFAULT_BLOCKS, Block
from formats.context.context_template import ContextTemplate, read_context_template
from formats.context.post_history import PostHistory, target_index
from formats.context.prompt_config import PromptConfig
from formats.context.role_blocks import CompiledContext, ContextRender, RoleBlock

__all__ = [
    "CORE_BLOCKS",
    "DEFAULT_BLOCKS",
    "Block",
    "CompiledContext",
    "ContextRender",
    "ContextTemplate",
    "PostHistory",
    "PromptConfig",
    "RoleBlock",
    "read_context_template",
    "target_index",
]
