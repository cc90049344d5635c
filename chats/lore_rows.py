"""Rows of lore entries by book revision: read, compared, written. The book's item is locked by whoever writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from django.db.models import Q, QuerySet
from django.dispatch import Signal

from chats.documents import LoreEntry, dump
from chats.models import GAP, LoreEntryRow
from neotavern.ground.canonical import content_hash

BATCH = 500

entries_changed = Signal()
"""Sent with `book_id`, inside the transaction, after entries of a book were stored."""


class Given(NamedTuple):
    """An entry to be written: its JSON without the uid, and the hash of that."""

    uid: str
    body: str
    hash: str

    @classmethod
    def of(cls, uid: str, entry: LoreEntry) -> Given:
        """Return the row form of an entry."""
        document = {key: value for key, value in dump(entry).items() if key != "uid"}
        return cls(uid, orjson.dumps(document).decode(), content_hash(document))


def rows_at(book_id: int, number: int) -> QuerySet[LoreEntryRow]:
    """Return the rows of a book revision, unordered."""
    return LoreEntryRow.objects.filter(Q(until=None) | Q(until__gt=number), book_id=book_id, since__lte=number)


def given(entries: Sequence[LoreEntry]) -> list[Given]:
    """Return the row forms of a whole book; an entry without uid gets the first free number."""
    taken = {entry.uid for entry in entries if entry.uid is not None}
    numbers = (str(number) for number in range(len(entries) * 2 + 1) if str(number) not in taken)
    return [Given.of(entry.uid if entry.uid is not None else next(numbers), entry) for entry in entries]


def document_of(uid: str, body: str) -> dict[str, Any]:
    """Return the wire form of an entry."""
    return {"uid": uid, **orjson.loads(body)}


class LoreRows:
    """What the library calls for books (`neotavern.library.kinds.Parts`); `parts` are all entries of the book."""

    has_revisions = True

    def is_same(self, item_id: int, number: int, parts: Sequence[LoreEntry]) -> bool:
        """Return whether revision `number` has exactly these entries in this order."""
        rows = rows_at(item_id, number).order_by("position", "id").values_list("uid", "content_hash")
        return list(rows) == [(one.uid, one.hash) for one in given(parts)]

    def write(self, item_id: int, number: int, parts: Sequence[LoreEntry]) -> None:
        """Make `parts` the entries of revision `number`; rows that stay as they are serve both revisions."""
        current = {row.uid: row for row in rows_at(item_id, number)}
        entries = given(parts)
        kept = _in_place(entries, current)
        gone = [row.pk for uid, row in current.items() if uid not in kept]
        made = [row_of(item_id, number, one, (at + 1) * GAP) for at, one in enumerate(entries) if one.uid not in kept]
        close(gone, number)
        insert(item_id, made)

    def join(self, item_id: int, number: int, document: dict[str, Any]) -> dict[str, Any]:
        """Return the document with its entries inside."""
        rows = rows_at(item_id, number).order_by("position", "id").values_list("uid", "body")
        return document | {"entries": [document_of(uid, body) for uid, body in rows]}


def _in_place(entries: Sequence[Given], current: Mapping[str, LoreEntryRow]) -> set[str]:
    """Return the uids of rows that can stay: same content, same position as the new order gives them."""
    return {
        one.uid
        for at, one in enumerate(entries)
        if (row := current.get(one.uid)) is not None and row.content_hash == one.hash and row.position == (at + 1) * GAP
    }


def row_of(book_id: int, number: int, one: Given, position: int) -> LoreEntryRow:
    """Return the row of an entry from revision `number` on."""
    return LoreEntryRow(
        book_id=book_id, uid=one.uid, position=position, body=one.body, content_hash=one.hash, since=number
    )


def insert(book_id: int, rows: Sequence[LoreEntryRow]) -> None:
    """Store new states of entries, and say so."""
    LoreEntryRow.objects.bulk_create(rows, batch_size=BATCH)
    if rows:
        entries_changed.send(sender=LoreEntryRow, book_id=book_id)


def close(pks: Iterable[int], number: int) -> None:
    """End rows before revision `number`."""
    listed = list(pks)
    for start in range(0, len(listed), BATCH):
        LoreEntryRow.objects.filter(pk__in=listed[start : start + BATCH]).update(until=number)
