"""Which messages of a stored chat a render reads: with a budget, those that can be in the prompt, and a few more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from chats import selectors
from chats.lore.settings import SCAN_DEPTH
from chats.pipeline.sources import Sources
from chats.pipeline.unread import unread
from chats.selectors import MessageHead
from formats.prompt.message import Message
from formats.tokens import Tokenizer

STRATEGIES: Final = ("truncate", "manual")
"""Those that look at nothing of what leaves but its size."""

LEAST: Final = SCAN_DEPTH + 1
"""Messages that are always read: lore and memories are searched in the newest ones."""

SHARE: Final = 1.2
"""Messages are read until their contents alone have so much of the budget: those before them leave in any case."""

WORTH: Final = 0.8
"""A chat of which more than this has to be read is read whole."""


def may_leave_unread(sources: Sources, *, is_watched: bool) -> bool:
    """Whether what is too old can be left unread. `is_watched`: a trace or an interceptor looks at every message."""
    budget = sources.budget
    return (
        budget is not None
        and budget.strategy in STRATEGIES
        and not is_watched
        and sources.context is None
        and sources.ranking is None
        and not any(block.min_tokens for block in sources.blocks)
    )


def newest_messages(chat_id: int, sources: Sources, counter: Tokenizer) -> tuple[Message, ...] | None:
    """Return the chat with stand-ins for what is too old; None where that saves nothing, or too little is known."""
    budget = sources.budget
    heads = selectors.message_heads(chat_id)
    tokens = [head.tokens(counter.name) for head in heads]
    if budget is None or not heads:
        return None
    depth = max((LEAST, *(book.deepest for book in sources.books)))
    first = _first(heads, tokens, max(budget.available, 0) * SHARE, depth)
    wanted = [at for at in range(len(heads)) if at >= first or tokens[at] is None]
    if len(wanted) > WORTH * len(heads):
        return None
    read = selectors.messages_by_id(chat_id, [heads[at].id for at in wanted])
    messages: list[Message] = []
    chosen = set(wanted)
    for at, (head, size) in enumerate(zip(heads, tokens, strict=True)):
        if at not in chosen:
            messages.append(unread(str(head.id), head.role, size or 0))
            continue
        stored = read.get(head.id)
        if stored is None:  # taken out meanwhile
            return None
        messages.append(stored.message())
    return tuple(messages)


def _first(heads: Sequence[MessageHead], tokens: Sequence[int | None], wanted: float, depth: int) -> int:
    """Return from where on all is read: enough for the budget and for searching, with a turn of either side in it."""
    missing = {"user", "assistant"}
    found = 0
    for number, at in enumerate(range(len(heads) - 1, -1, -1)):
        if number >= depth and found > wanted and not missing:
            return at + 1
        missing.discard(heads[at].role)
        found += tokens[at] or 0
    return 0
