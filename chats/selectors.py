"""Reads of chats and books: plain values in one query each, without ORM objects where many rows come.

For a render: resolve the names of the request to `Found`, then ask here. `found.item_id` is the chat or book,
`found.number` its revision; a book's entries belong to the pair, so cache a compiled book by (item_id, number).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from django.db import connection

from chats.documents import ChatSettings, InlineLorebook, Lorebook, LoreEntry
from chats.lore import EntryRef, LoreState, Timed
from chats.message_rows import SPECIAL
from chats.stored.names import (
    CHARACTER,
    CONTEXT_TEMPLATE,
    FORMAT,
    INTERCEPTOR,
    LOREBOOK,
    MEMORY,
    PERSONA,
    PRESET,
    PROMPT_CONFIG,
)
from formats.prompt.message import Message
from neotavern.ground.limits import MAX_MESSAGES
from neotavern.library.resolve import Found, Ref

IDS_OF_A_QUERY = 500


class StoredMessage(NamedTuple):
    """A row of a chat: `body` is JSON text without the id, `counts` JSON text of tokens by profile."""

    id: int
    body: str
    counts: str

    def message(self) -> Message:
        """Return it as what flows through the pipeline; its id is the row's."""
        value = orjson.loads(self.body)
        if len(value) == 2 and isinstance(value.get("content"), str):
            return Message(value["role"], value["content"], id=str(self.id))
        return Message.model_validate({**value, "id": str(self.id)})

    def tokens(self, profile: str) -> int | None:
        """Return the tokens that were counted under `profile`, None where nobody has counted yet."""
        value = orjson.loads(self.counts).get(profile) if profile in self.counts else None
        return value if isinstance(value, int) else None


def stored_messages(chat_id: int, *, newest: int | None = None) -> list[StoredMessage]:
    """Return the messages of a chat in order, oldest first, by one query; `newest` reads only so many from the end."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, body, counts FROM chats_message WHERE chat_id = %s ORDER BY position DESC, id DESC LIMIT %s",
            [chat_id, MAX_MESSAGES if newest is None else newest],
        )
        rows = cursor.fetchall()
    rows.reverse()
    return [StoredMessage(*row) for row in rows]


class MessageHead(NamedTuple):
    """What is known of a message without its text."""

    id: int
    role: str
    counts: str

    def tokens(self, profile: str) -> int | None:
        """Return the tokens of its content under `profile`; None where a render has to look into it.

        Nobody has counted then, or the message does more than speak (`message_rows.counts_of`).
        """
        if profile not in self.counts or SPECIAL in self.counts:
            return None
        value = orjson.loads(self.counts).get(profile)
        return value if isinstance(value, int) else None


def message_heads(chat_id: int) -> list[MessageHead]:
    """Return all messages of a chat in order without their texts, by one query."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, role, counts FROM chats_message WHERE chat_id = %s ORDER BY position, id", [chat_id])
        return [MessageHead(*row) for row in cursor.fetchall()]


def messages_by_id(chat_id: int, ids: Sequence[int]) -> dict[int, StoredMessage]:
    """Return messages of a chat by their ids; those that are not there any more are left out."""
    found: dict[int, StoredMessage] = {}
    with connection.cursor() as cursor:
        for start in range(0, len(ids), IDS_OF_A_QUERY):
            some = ids[start : start + IDS_OF_A_QUERY]
            marks = ", ".join(["%s"] * len(some))
            text = f"SELECT id, body, counts FROM chats_message WHERE chat_id = %s AND id IN ({marks})"  # noqa: S608
            cursor.execute(text, [chat_id, *some])
            found |= {row[0]: StoredMessage(*row) for row in cursor.fetchall()}
    return found


def message_count(chat_id: int) -> int:
    """Return how many messages a chat has."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM chats_message WHERE chat_id = %s", [chat_id])
        return int(cursor.fetchone()[0])


def documents(found: Iterable[Found]) -> dict[int, dict[str, Any]]:
    """Return the stored documents of several revisions by revision id, by one query; none for no revisions."""
    ids = sorted({one.revision_id for one in found})
    if not ids:
        return {}
    with connection.cursor() as cursor:
        marks = ", ".join(["%s"] * len(ids))
        cursor.execute(f"SELECT id, document FROM library_revision WHERE id IN ({marks})", ids)  # noqa: S608 - marks
        return {row[0]: orjson.loads(row[1]) for row in cursor.fetchall()}


def entry_texts(book_id: int, number: int) -> Iterator[tuple[str, str]]:
    """Yield uid and JSON text of each entry that revision `number` of a book has, in the book's order; one query."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT uid, body FROM chats_loreentry WHERE book_id = %s AND since <= %s"
            " AND (until IS NULL OR until > %s) ORDER BY position, id",
            [book_id, number, number],
        )
        yield from cursor.fetchall()


def book(found: Found, document: Mapping[str, Any]) -> tuple[Lorebook, list[LoreEntry]]:
    """Return settings and entries of a book revision, as `compile_book` takes them; `document` is its stored one.

    They were validated when they were saved, and are again: a stored one of an older version is read as new ones are.
    """
    settings = Lorebook.model_validate(document)
    entries = [
        LoreEntry.model_validate({**orjson.loads(text), "uid": uid})
        for uid, text in entry_texts(found.item_id, found.number)
    ]
    return settings, entries


def inline_book(found: Found, document: Mapping[str, Any]) -> InlineLorebook:
    """Return a book revision with its entries inside."""
    settings, entries = book(found, document)
    return InlineLorebook(
        **{name: getattr(settings, name) for name in settings.model_fields_set}, entries=tuple(entries)
    )


def lore_state(chat_id: int) -> LoreState:
    """Return what a chat remembers of its entries, by two queries. Rendering never changes it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT book, entry_uid, sticky_until, cooldown_until FROM chats_lorestate WHERE chat_id = %s", [chat_id]
        )
        timed = {EntryRef(row[0], row[1]): Timed(row[2], row[3]) for row in cursor.fetchall()}
    return LoreState(message_count(chat_id), timed)


class ChatRefs(NamedTuple):
    """What a chat's settings name, as references for `resolve`; None where the chat says nothing."""

    character: Ref | None
    characters: tuple[Ref, ...]
    persona: Ref | None
    lorebooks: tuple[Ref, ...]
    memories: tuple[Ref, ...]
    interceptors: tuple[Ref, ...]
    preset: Ref | None
    format: Ref | None
    context_template: Ref | None
    prompt_config: Ref | None

    def all(self) -> list[Ref]:
        """Return every reference once, in the order of the fields."""
        listed: list[Ref] = []
        for value in self:
            listed += [value] if isinstance(value, Ref) else value or ()
        return list(dict.fromkeys(listed))


def chat_references(chat: ChatSettings) -> ChatRefs:
    """Return what `chat` names. Resolve them with the caller of the render: what is private stays private."""
    return ChatRefs(
        character=_one(CHARACTER, chat.character),
        characters=_many(CHARACTER, chat.characters),
        persona=_one(PERSONA, chat.persona),
        lorebooks=_many(LOREBOOK, chat.lorebooks),
        memories=_many(MEMORY, chat.memories),
        interceptors=_many(INTERCEPTOR, chat.interceptors),
        preset=_one(PRESET, chat.preset),
        format=_one(FORMAT, chat.format),
        context_template=_one(CONTEXT_TEMPLATE, chat.context_template),
        prompt_config=_one(PROMPT_CONFIG, chat.prompt_config),
    )


def book_references(names: Iterable[str]) -> tuple[Ref, ...]:
    """Return references to the books that a character or persona names."""
    return _many(LOREBOOK, names)


def _one(kind: str, name: str | None) -> Ref | None:
    return None if name is None else Ref.of(kind, name)


def _many(kind: str, names: Iterable[str]) -> tuple[Ref, ...]:
    return tuple(Ref.of(kind, name) for name in names)
