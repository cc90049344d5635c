"""Reads of a chat's messages by pages."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from chats.entry_reading import read_cursor
from chats.message_rows import wire
from chats.models import ChatMessage
from neotavern.library.models import Item


def message_page(
    chat: Item, *, newest: bool, cursor: str | None, limit: int
) -> tuple[list[dict[str, Any]], str | None]:
    """Return messages from the beginning, or from the end with `newest`, and the cursor of the next page."""
    rows = ChatMessage.objects.filter(chat=chat).order_by(*(("-position", "-id") if newest else ("position", "id")))
    if cursor is not None:
        position, pk = read_cursor(cursor)
        beyond = "lt" if newest else "gt"
        same = Q(position=position, **{f"pk__{beyond}": pk})
        rows = rows.filter(Q(**{f"position__{beyond}": position}) | same)
    found = list(rows[: limit + 1])
    more = f"{found[limit - 1].position}.{found[limit - 1].pk}" if len(found) > limit else None
    return [wire(row.pk, row.body) for row in found[:limit]], more
