"""Prompt blocks: the ordered list of what stands before, in and after the history."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import AfterValidator, Field, StringConstraints

from formats.context.vocabulary import (
    CORE_BLOCK_NAMES,
    LAST_BLOCKS,
    BlockRole,
    GenerationType,
    InjectionPosition,
)
from formats.prompt.fields import DocumentModel, Text, sequence

CUSTOM: Final = r"custom-[A-Za-z0-9][A-Za-z0-9._-]{0,119}"
ID_PATTERN: Final = rf"^({'|'.join(CORE_BLOCK_NAMES)}|{CUSTOM})$"
_CUSTOM: Final = re.compile(CUSTOM)
CONTENT_LIMIT: Final = 32_768
BLOCK_LIMIT: Final = 128
DEPTH_LIMIT: Final = 9_999
CORE_BLOCKS: Final = frozenset(CORE_BLOCK_NAMES)

BlockContent = Annotated[Text, Field(max_length=CONTENT_LIMIT)]


def _block_id(name: str) -> str:
    """Return a block's id. Raises ValueError for one that is neither built in nor of the custom ones."""
    if name in CORE_BLOCKS or _CUSTOM.fullmatch(name):
        return name
    raise ValueError("a block of your own is called custom- and then letters, digits, dots, dashes, underscores")


BlockId = Annotated[str, AfterValidator(_block_id), Field(json_schema_extra={"pattern": ID_PATTERN})]
ModelName = Annotated[str, StringConstraints(min_length=1, max_length=256)]


class Block(DocumentModel):
    """One block. Core blocks take their text from the chat; of those only `main-prompt` reads `content`.

    `in-chat` puts it `injectionDepth` messages from the end. Empty `triggers` mean every generation type; `model` is
    the one model that it is for. An empty `main-prompt` is the built-in sentence.
    """

    id: BlockId
    enabled: bool = True
    name: Annotated[Text, Field(max_length=500)] = ""
    role: BlockRole | None = None
    content: BlockContent = ""
    injection_position: InjectionPosition = "relative"
    injection_depth: Annotated[int, Field(ge=0, le=DEPTH_LIMIT)] = 4
    injection_order: Annotated[int, Field(ge=0, le=DEPTH_LIMIT)] = 100
    triggers: tuple[GenerationType, ...] = sequence(limit=16)
    model: ModelName | None = None
    forbid_overrides: bool = Field(default=False, description="a character's own text does not replace this one")

    @property
    def is_core(self) -> bool:
        """Whether the block's text comes from the chat."""
        return self.id in CORE_BLOCKS


DEFAULT_BLOCKS: Final[tuple[Block, ...]] = tuple(Block(id=name) for name in CORE_BLOCK_NAMES)
"""The list that holds where no prompt config names another."""


def check_order(blocks: Sequence[Block]) -> Sequence[Block]:
    """Return `blocks`. Raises ValueError unless each core block is there once, no id twice, and the last two end it."""
    ids = [block.id for block in blocks]
    if len(ids) != len(set(ids)):
        twice = next(name for name in ids if ids.count(name) > 1)
        raise ValueError(f"the block {twice!r} is there twice")
    missing = [name for name in CORE_BLOCK_NAMES if name not in ids]
    if missing:
        raise ValueError(f"the block {missing[0]!r} is missing: switch it off instead")
    if tuple(ids[-2:]) != LAST_BLOCKS:
        raise ValueError("the last two blocks are chat-history and post-history-instructions")
    return blocks


BlockList = Annotated[tuple[Block, ...], Field(strict=False, max_length=BLOCK_LIMIT), AfterValidator(check_order)]
