"""Rows of messages: read, compared, appended. The chat's item is locked by whoever writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
from django.db.models import Max
from django.utils import timezone

from chats.models import GAP, ChatMessage
from chats.pipeline.counting import content_tokens
from chats.pipeline.expander import needs_macros
from formats.prompt.errors import MessageError
from formats.prompt.message import Message
from formats.stored.faults import refusal
from formats.tokens import loaded
from neotavern.ground.canonical import reject_nul
from neotavern.ground.errors import AppError, ErrorCode, conflict, invalid
from neotavern.ground.limits import MAX_DOCUMENT_BYTES, MAX_MESSAGES

BATCH = 500
SPECIAL = '"":'
"""Among the counts of a message that stays, leaves with others, or has a macro; no profile has an empty name."""


def read_messages(values: Any, path: str = "messages") -> list[dict[str, Any]]:
    """Return messages as they are stored: OpenAI's shape with `pinned` and `excluded`, without ids.

    Roles are folded as in a render request. Raises VALIDATION with every fault.
    """
    if not isinstance(values, list):
        raise invalid(path, "must be an array of messages")
    if len(values) > MAX_MESSAGES:
        raise invalid(path, f"A chat has at most {MAX_MESSAGES:,} messages.")
    try:
        read = Message.read_all(values, path=path)
    except MessageError as error:
        raise refusal(error) from error
    stored = [stored_form(message) for message in read]
    for at, message in enumerate(stored):
        reject_nul(message, f"{path}[{at}]")
        _limit(message)
    return stored


def read_message(value: Any) -> dict[str, Any]:
    """Return one message as it is stored; paths of its faults are relative to it."""
    try:
        message = stored_form(Message.model_validate(value))
    except MessageError as error:
        raise refusal(error) from error
    reject_nul(message)
    _limit(message)
    return message


def _limit(message: dict[str, Any]) -> None:
    if len(orjson.dumps(message)) > MAX_DOCUMENT_BYTES:
        text = f"A message has at most {MAX_DOCUMENT_BYTES:,} bytes."
        raise AppError(ErrorCode.PAYLOAD_TOO_LARGE, text, params={"limit": MAX_DOCUMENT_BYTES})


def stored_form(message: Message) -> dict[str, Any]:
    """Return what is kept of a message."""
    flags = {name: True for name in ("pinned", "excluded") if getattr(message, name)}
    return message.to_wire() | flags


def wire(pk: int, body: str) -> dict[str, Any]:
    """Return a stored message with its id, as the API and files of ours have it."""
    return {"id": str(pk), **orjson.loads(body)}


def counts_of(message: dict[str, Any]) -> str:
    """Return what is kept of a message's size: its tokens by every profile that this process has ready.

    SPECIAL stands before them where the message does more than speak: a render has to look into it.
    """
    read = Message.model_validate(message)
    counts = {one.name: content_tokens(read, one.count_once) for one in loaded()}
    does_more = read.pinned or read.excluded or read.tool_calls or read.role not in {"user", "assistant"}
    return orjson.dumps({"": 1, **counts} if does_more or needs_macros(read) else counts).decode()


def append_rows(chat_id: int, messages: Sequence[dict[str, Any]]) -> list[ChatMessage]:
    """Insert messages at the end of a locked chat. Raises VALIDATION when it would have too many."""
    last = ChatMessage.objects.filter(chat_id=chat_id).aggregate(last=Max("position"))["last"] or 0
    if ChatMessage.objects.filter(chat_id=chat_id).count() + len(messages) > MAX_MESSAGES:
        raise invalid("messages", f"A chat has at most {MAX_MESSAGES:,} messages.")
    now = timezone.now()
    rows = [
        ChatMessage(
            chat_id=chat_id,
            position=last + (at + 1) * GAP,
            role=message["role"],
            body=orjson.dumps(message).decode(),
            counts=counts_of(message),
            edited_at=now,
        )
        for at, message in enumerate(messages)
    ]
    return ChatMessage.objects.bulk_create(rows, batch_size=BATCH)


class MessageRows:
    """What the library calls for chats (`neotavern.library.kinds.Parts`).

    A document with messages fills an empty chat or goes on where the stored ones end; it never takes one away.
    """

    has_revisions = False

    def is_same(self, item_id: int, number: int, parts: Sequence[dict[str, Any]]) -> bool:
        """Return whether the chat begins with these messages."""
        return self._stored(item_id)[: len(parts)] == list(parts)

    def write(self, item_id: int, number: int, parts: Sequence[dict[str, Any]]) -> None:
        """Append what is new. Raises CONFLICT where the chat has gone another way."""
        stored = self._stored(item_id)
        common = min(len(stored), len(parts))
        if stored[:common] != list(parts[:common]):
            raise conflict("The chat's messages differ from these: change them one by one, or use another id.")
        append_rows(item_id, parts[common:])

    def join(self, item_id: int, number: int, document: dict[str, Any]) -> dict[str, Any]:
        """Return the document with the messages that the chat has now."""
        return document | {"messages": self._stored(item_id)}

    def _stored(self, chat_id: int) -> list[dict[str, Any]]:
        rows = ChatMessage.objects.filter(chat_id=chat_id).order_by("position", "id").values_list("body", flat=True)
        return [orjson.loads(body) for body in rows]
