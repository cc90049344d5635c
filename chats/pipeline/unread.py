"""Messages of a stored chat that are too old for the budget: their place, role and size are known, not their text.

They stand in the history so that places, counts and reasons are those of the whole chat, and leave it with the shift. A
result that still has one was decided too early: the whole chat has to be read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from formats.prompt.message import Message

UNREAD: Final = "unread"


def unread(id_: str, role: str, tokens: int) -> Message:
    """Return the stand-in of a message whose content has `tokens`."""
    return Message(role, "", id=id_, meta={UNREAD: tokens})


def unread_tokens(message: Message) -> int | None:
    """Return the tokens of a stand-in, None for a message that was read."""
    if message.text or not message.meta:
        return None
    tokens = message.meta.get(UNREAD)
    return tokens if isinstance(tokens, int) else None


def has_unread(messages: Iterable[Message]) -> bool:
    """Whether a stand-in is among them."""
    return any(unread_tokens(message) is not None for message in messages)
