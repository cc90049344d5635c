"""Reads of a book's entries: pages, one by uid, and the ETag of each."""

from __future__ import annotations

import hashlib
from typing import Any

from django.db.models import Q

from chats.lore_rows import document_of, rows_at
from chats.models import LoreEntryRow
from neotavern.ground.errors import invalid, not_found
from neotavern.library.models import Item
from neotavern.library.pointers import MAX_NUMBER


def entry_etag(row: LoreEntryRow) -> str:
    """Return the ETag of one state of an entry; it holds as long as nobody changes that entry."""
    identity = f"{row.book_id}:{row.uid}:{row.since}"
    return f'"{hashlib.sha256(identity.encode()).hexdigest()[:20]}"'


def current_entry(book: Item, uid: str, number: int | None = None) -> LoreEntryRow:
    """Return an entry as revision `number` has it, or the newest. Raises NOT_FOUND."""
    row = None
    if uid.isprintable():
        row = rows_at(book.pk, book.last_number if number is None else number).filter(uid=uid).first()
    if row is None:
        raise not_found(f"The entry {uid[:80]!r}", uid=uid[:80])
    return row


def shown(row: LoreEntryRow) -> dict[str, Any]:
    """Return the wire form of an entry."""
    return document_of(row.uid, row.body)


def entry_page(book: Item, number: int, *, cursor: str | None, limit: int) -> tuple[list[dict[str, Any]], str | None]:
    """Return entries of a revision in the book's order, and the cursor of the next page."""
    rows = rows_at(book.pk, number).order_by("position", "id")
    if cursor is not None:
        position, pk = read_cursor(cursor)
        rows = rows.filter(Q(position__gt=position) | Q(position=position, pk__gt=pk))
    found = list(rows[: limit + 1])
    more = f"{found[limit - 1].position}.{found[limit - 1].pk}" if len(found) > limit else None
    return [shown(row) for row in found[:limit]], more


def read_cursor(cursor: str) -> tuple[int, int]:
    """Return position and id of a cursor. Raises VALIDATION for one that no list gave."""
    position, _, pk = cursor.partition(".")
    sign, digits = (-1, position[1:]) if position.startswith("-") else (1, position)
    if all(part.isascii() and part.isdigit() and len(part) < 18 for part in (digits, pk)):
        return sign * int(digits), min(int(pk), 2**63 - 1)
    raise invalid("cursor", "This cursor does not come from a list: start without one.")


def revision_number(book: Item, number: int | None) -> int:
    """Return `number`, or that of the newest revision. Raises NOT_FOUND for one that the book does not have."""
    if number is None:
        return book.last_number
    if not 0 < number <= min(book.last_number, MAX_NUMBER):
        raise not_found(f"Revision {number} of {book.slug!r}", slug=book.slug, revision=number)
    return number
