"""A prompt config as the pipeline takes it: its ordered blocks, and the texts that it puts into two of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from chats.documents.errors import error_of
from chats.pipeline.blocks import BUILTIN_BLOCKS, MAIN, POST_HISTORY, Block
from formats.context import PromptConfig


def blocks_of(document: Mapping[str, Any], path: str) -> tuple[Block, ...]:
    """Return the blocks of a prompt config. Raises DocumentError, places beginning with `path`."""
    try:
        config = PromptConfig.model_validate(dict(document))
    except ValidationError as error:
        raise error_of(error, path) from None
    builtin = {block.id: block for block in BUILTIN_BLOCKS}
    return tuple(_block(one, builtin, config) for one in config.block_list)


def _block(one: Any, builtin: Mapping[str, Block], config: PromptConfig) -> Block:
    made = Block(
        id=one.id,
        name=one.name,
        enabled=one.enabled,
        role=one.role,
        content=one.content,
        in_chat=one.injection_position == "in-chat",
        depth=one.injection_depth,
        order=one.injection_order,
        triggers=one.triggers,
        model=one.model or "",
        forbid_overrides=one.forbid_overrides,
    )
    if one.id == MAIN:
        own = (one.content.strip() and one.content) or config.system_prompt
        default = builtin[MAIN]
        return (
            replace(made, content=own) if own.strip() else replace(made, content=default.content, needs_character=True)
        )
    if one.id == POST_HISTORY:
        return _post_history(made, config)
    return made


def _post_history(block: Block, config: PromptConfig) -> Block:
    """Return the block with the config's text, some messages from the end where the config says so."""
    made = replace(block, content=config.post_history_instructions, min_tokens=config.post_history_token_trigger)
    if config.post_history_depth and not block.in_chat:
        return replace(made, in_chat=True, depth=config.post_history_depth)
    return made
