"""The archive's parts of this floor: messages, entries of lorebooks, and what chats remember of entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from chats.models import ChatMessage, LoreEntryRow, LoreStateRow
from neotavern.ground.errors import invalid
from neotavern.library.backup.dump import CHUNK, each_item
from neotavern.library.backup.load import chunks
from neotavern.library.backup.parts import Archived, Part, register
from neotavern.library.backup.rows import Row

CHAT, BOOK = "chat", "lorebook"


class MessageRow(Row):
    """A message of a chat; `body` and `counts` are text, as they are stored."""

    chat: str
    position: int
    role: str
    body: str
    counts: str
    edited_at: datetime


class EntryRow(Row):
    """One state of an entry: it holds from revision `since` until before `until`."""

    book: str
    uid: str
    position: int
    body: str
    content_hash: str
    since: int
    until: int | None


class StateRow(Row):
    """What a chat remembers of an entry."""

    chat: str
    book: str
    entry_uid: str
    sticky_until: int
    cooldown_until: int


def register_all() -> None:
    """Register the parts."""
    register(Part("messages", MessageRow, _messages, _load_messages))
    register(Part("entries", EntryRow, _entries, _load_entries))
    register(Part("lore-states", StateRow, _states, _load_states))


def _messages(source: Archived) -> Iterator[MessageRow]:
    for item, slug in each_item(source, CHAT):
        for row in ChatMessage.objects.filter(chat=item).order_by("position", "id").iterator(CHUNK):
            yield MessageRow(
                chat=slug,
                position=row.position,
                role=row.role,
                body=row.body,
                counts=row.counts,
                edited_at=row.edited_at,
            )


def _load_messages(target: Archived, rows: Iterable[MessageRow]) -> None:
    for chunk in chunks(rows):
        ChatMessage.objects.bulk_create(
            ChatMessage(
                chat_id=_item(target, CHAT, row.chat),
                position=row.position,
                role=row.role,
                body=row.body,
                counts=row.counts,
                edited_at=row.edited_at,
            )
            for row in chunk
        )


def _entries(source: Archived) -> Iterator[EntryRow]:
    for item, slug in each_item(source, BOOK):
        for row in LoreEntryRow.objects.filter(book=item).order_by("since", "position", "id").iterator(CHUNK):
            yield EntryRow(
                book=slug,
                uid=row.uid,
                position=row.position,
                body=row.body,
                content_hash=row.content_hash,
                since=row.since,
                until=row.until,
            )


def _load_entries(target: Archived, rows: Iterable[EntryRow]) -> None:
    for chunk in chunks(rows):
        LoreEntryRow.objects.bulk_create(
            LoreEntryRow(
                book_id=_item(target, BOOK, row.book),
                uid=row.uid,
                position=row.position,
                body=row.body,
                content_hash=row.content_hash,
                since=row.since,
                until=row.until,
            )
            for row in chunk
        )


def _states(source: Archived) -> Iterator[StateRow]:
    for item, slug in each_item(source, CHAT):
        rows = LoreStateRow.objects.filter(chat=item)
        for row in sorted(rows, key=lambda one: (one.book, one.entry_uid)):
            yield StateRow(
                chat=slug,
                book=row.book,
                entry_uid=row.entry_uid,
                sticky_until=row.sticky_until,
                cooldown_until=row.cooldown_until,
            )


def _load_states(target: Archived, rows: Iterable[StateRow]) -> None:
    for chunk in chunks(rows):
        LoreStateRow.objects.bulk_create(
            LoreStateRow(
                chat_id=_item(target, CHAT, row.chat),
                book=row.book,
                entry_uid=row.entry_uid,
                sticky_until=row.sticky_until,
                cooldown_until=row.cooldown_until,
            )
            for row in chunk
        )


def _item(target: Archived, kind: str, slug: str) -> int:
    found = target.items.get((kind, slug))
    if found is None:
        raise invalid("slug", f"A line of {kind} {slug!r}, which the archive does not have.")
    return found
