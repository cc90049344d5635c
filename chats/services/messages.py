"""Writes of a chat's messages. They make no revision: a chat's revisions cover its settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
from django.db import transaction

from chats import message_rows
from chats.models import GAP, ChatMessage
from neotavern.accounts import audit
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import conflict, invalid, not_found
from neotavern.library.models import Item
from neotavern.library.services import saving, store

MAX_ID = 2**63 - 1


@transaction.atomic
def add_messages(actor: Actor, *, chat: Item, messages: Sequence[dict[str, Any]]) -> list[ChatMessage]:
    """Append messages (as `read_messages` gives them) and return their rows. Raises VALIDATION past the limit."""
    held = _held(actor, chat)
    rows = message_rows.append_rows(held.pk, messages)
    _changed(actor, held, "message.add", f"{len(rows)}")
    return rows


@transaction.atomic
def edit_message(actor: Actor, *, chat: Item, message_id: str, message: dict[str, Any], was: Any = None) -> ChatMessage:
    """Put other content in place of a message. It is counted again.

    `was` is the message as the editor saw it: raises CONFLICT when it is another one by now.
    """
    held = _held(actor, chat)
    row = _row(held, message_id)
    body = orjson.dumps(message).decode()
    if row.body == body:
        return row
    if was is not None and orjson.loads(row.body) != was:
        raise conflict("Somebody changed this message meanwhile.", messageId=message_id)
    row.role, row.body, row.counts = message["role"], body, message_rows.counts_of(message)
    row.edited_at = actor.now
    row.save()
    _changed(actor, held, "message.edit", message_id)
    return row


@transaction.atomic
def delete_message(actor: Actor, *, chat: Item, message_id: str) -> None:
    """Take a message out of its chat, for good."""
    held = _held(actor, chat)
    _row(held, message_id).delete()
    _changed(actor, held, "message.delete", message_id)


@transaction.atomic
def move_message(
    actor: Actor, *, chat: Item, message_id: str, before: str | None = None, after: str | None = None
) -> ChatMessage:
    """Put a message before or after another one. Raises VALIDATION unless exactly one place is named."""
    if (before is None) == (after is None):
        raise invalid("before", "Say before which message, or after which one.")
    held = _held(actor, chat)
    row, other = _row(held, message_id), _row(held, before or after or "")
    if row.pk == other.pk:
        return row
    position = _place(held, row, other, is_before=before is not None)
    if position is None:
        _spread(held)
        other.refresh_from_db()
        position = _place(held, row, other, is_before=before is not None)
    row.position = position or 0
    row.save(update_fields=["position"])
    _changed(actor, held, "message.move", message_id)
    return row


def _held(actor: Actor, chat: Item) -> Item:
    saving.may_change(actor, chat)
    held = store.lock(chat)
    store.refuse_archived(held)
    return held


def _row(chat: Item, message_id: str) -> ChatMessage:
    number = int(message_id) if message_id.isascii() and message_id.isdigit() and len(message_id) < 20 else 0
    row = ChatMessage.objects.filter(chat=chat, pk=number).first() if 0 < number <= MAX_ID else None
    if row is None:
        raise not_found(f"The message {message_id[:40]!r}", message=message_id[:40])
    return row


def _place(chat: Item, row: ChatMessage, other: ChatMessage, *, is_before: bool) -> int | None:
    """Return a position beside `other`, None where no number is left between it and its neighbour."""
    rows = ChatMessage.objects.filter(chat=chat).exclude(pk=row.pk).order_by("position")
    if is_before:
        beside = rows.filter(position__lt=other.position).last()
        low = beside.position if beside else other.position - 2 * GAP
        place = (low + other.position) // 2
        return place if low < place < other.position else None
    beside = rows.filter(position__gt=other.position).first()
    high = beside.position if beside else other.position + 2 * GAP
    place = (other.position + high) // 2
    return place if other.position < place < high else None


def _spread(chat: Item) -> None:
    """Give every message of the chat a position with room around it."""
    rows = list(ChatMessage.objects.filter(chat=chat).order_by("position", "id").only("id", "position"))
    for at, row in enumerate(rows, start=1):
        row.position = at * GAP
    ChatMessage.objects.bulk_update(rows, ["position"], batch_size=message_rows.BATCH)


def _changed(actor: Actor, chat: Item, action: str, what: str) -> None:
    store.bump(actor, chat)
    audit.record(actor, action, item_kind=chat.kind, item_slug=chat.slug, after=what)
