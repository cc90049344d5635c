"""The entries of a book as rows of a page: searched, narrowed, a hundred at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from django.db.models import QuerySet

from chats.lore_rows import document_of, rows_at
from chats.models import LoreEntryRow
from chats.web.editors.words import beginning

PAGE = 100
STATES = ("on", "off", "constant", "pinned")
TEXTS = ("name", "content", "category", "uid")
LISTS = ("keys", "secondaryKeys", "groups")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as a row: `row` is its name in the form."""

    row: str
    uid: str
    since: int
    position: int
    document: dict[str, Any]

    @property
    def title(self) -> str:
        """What the list calls it."""
        return beginning(self.document.get("name"), *self.keys[:1], self.document.get("content")) or self.uid

    @property
    def keys(self) -> list[str]:
        """Its keys."""
        return [str(key) for key in self.document.get("keys") or []]

    @property
    def is_on(self) -> bool:
        """Whether it takes part."""
        return self.document.get("enabled", True) is not False

    @property
    def order(self) -> Any:
        """Its order."""
        return self.document.get("order", 100)

    @property
    def priority(self) -> Any:
        """Its priority."""
        return self.document.get("priority", 0)

    @property
    def place(self) -> str:
        """Where it stands in the prompt."""
        return str(self.document.get("position", "before_character"))


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of entries: `found` of `total` match, the page begins with number `first`."""

    entries: list[Entry]
    found: int
    total: int
    number: int

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(1, -(-self.found // PAGE))

    @property
    def first(self) -> int:
        """The number of the first entry shown."""
        return (self.number - 1) * PAGE + 1 if self.entries else 0

    @property
    def last(self) -> int:
        """The number of the last entry shown."""
        return (self.number - 1) * PAGE + len(self.entries)

    @property
    def previous(self) -> int | None:
        """The page before."""
        return self.number - 1 if self.number > 1 else None

    @property
    def following(self) -> int | None:
        """The page behind."""
        return self.number + 1 if self.number < self.pages else None


def listed(book_id: int, number: int, *, search: str = "", state: str = "", page: int = 1) -> Listed:
    """Return a page of the entries of a book revision, in the book's order."""
    rows = rows_at(book_id, number).order_by("position", "id")
    total = rows.count()
    if not search.strip() and state not in STATES:
        page = min(max(page, 1), max(1, -(-total // PAGE)))
        return Listed(_entries(rows[(page - 1) * PAGE : page * PAGE]), total, total, page)
    found = matching(rows, search, state)
    page = min(max(page, 1), max(1, -(-len(found) // PAGE)))
    shown = found[(page - 1) * PAGE : page * PAGE]
    return Listed([_entry(str(at), row) for at, row in enumerate(shown)], len(found), total, page)


def matching(rows: QuerySet[LoreEntryRow], search: str, state: str) -> list[LoreEntryRow]:
    """Return the rows with every word of `search` in a name, key, text, category, group or uid."""
    words = search.casefold().split()[:8]
    for word in words:
        if word.isascii() and word.isalnum():  # JSON spells it the same, and so does every database
            rows = rows.filter(body__icontains=word) | rows.filter(uid__icontains=word)
    return [row for row in rows if _fits(document_of(row.uid, row.body), words, state)]


def _fits(document: dict[str, Any], words: Sequence[str], state: str) -> bool:
    is_on = document.get("enabled", True) is not False
    if {"on": not is_on, "off": is_on}.get(state, False) or (
        state in ("constant", "pinned") and not document.get(state)
    ):
        return False
    if not words:
        return True
    texts = [str(document.get(name) or "") for name in TEXTS]
    texts += [str(one) for name in LISTS for one in document.get(name) or []]
    whole = "\n".join(texts).casefold()
    return all(word in whole for word in words)


def _entries(rows: QuerySet[LoreEntryRow]) -> list[Entry]:
    return [_entry(str(at), row) for at, row in enumerate(rows)]


def _entry(name: str, row: LoreEntryRow) -> Entry:
    return Entry(name, row.uid, row.since, row.position, {"uid": row.uid, **orjson.loads(row.body)})
