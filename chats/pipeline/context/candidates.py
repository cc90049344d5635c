"""Lore of the books as candidates: which text, of which kind, about whom, and whether this speaker may know it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from chats.documents.lorebook import LoreEntry
from chats.infill.types import Candidate, CandidateKind, Date, Passage
from chats.lore import CompiledBook, CompiledEntry, LoreSettings
from chats.lore.deciding import filtered
from chats.pipeline.context.people import People, Person, shown_name
from chats.pipeline.expander import Expander, may_have_macros
from chats.pipeline.sources import Sources
from formats.context.facts import date_text

PATH: Final = "lorebooks"
KEPT_BOOKS: Final = 32
HIGHEST: Final = 2
"""Engines know three levels of priority: 0, 1 and 2."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands behind a candidate: the entry, its key among the facts, and whose lore it is."""

    compiled: CompiledEntry
    key: str
    person: Person | None = None


@dataclass(slots=True)
class LorePool:
    """All lore of a render: candidates for an engine, the books' persons, and the latest date told of."""

    candidates: list[Candidate] = field(default_factory=list)
    people: list[tuple[CompiledBook, People]] = field(default_factory=list)
    latest: Date | None = None

    @property
    def current_date(self) -> str:
        """The latest date of any history entry that is on; empty without one."""
        return date_text(self.latest[0], self.latest[1] or None, self.latest[2] or None) if self.latest else ""


def lore_pool(sources: Sources, settings: LoreSettings, expander: Expander | None) -> LorePool:
    """Return the lore of all books; a book that is given twice counts once."""
    pool = LorePool()
    for book in _different(sources.books):
        people = People(book.settings, sources.cast)
        pool.people.append((book, people))
        pool.candidates += _of_book(book, people, settings, expander)
    pool.latest = max(_dates(pool), default=None)
    return pool


def _dates(pool: LorePool) -> Iterator[Date]:
    """Return the dates of history that is on; an entry without a text still says how late it is."""
    for book, _ in pool.people:
        for compiled in book.entries:
            entry = compiled.entry
            if entry.kind == "history" and entry.enabled and (date := _date(entry)) is not None:
                yield date


def _different(books: Sequence[CompiledBook]) -> list[CompiledBook]:
    seen: dict[str, CompiledBook] = {}
    for book in books:
        seen.setdefault(book.digest, book)
    return list(seen.values())


def _of_book(
    book: CompiledBook, people: People, settings: LoreSettings, expander: Expander | None
) -> Iterator[Candidate]:
    """Yield the candidates of a book: as they stand, or as this cast and this generation see them."""
    for candidate, is_plain in _standing(book):
        yield candidate if is_plain else _seen(candidate, people, settings, expander)


def _seen(candidate: Candidate, people: People, settings: LoreSettings, expander: Expander | None) -> Candidate:
    """Return a candidate with its names and macros written out, and whether this speaker may know it."""
    compiled: CompiledEntry = candidate.source.compiled
    entry = compiled.entry
    text = people.named(entry.content)
    person = people.person(entry.binding) if entry.kind == "character" else None
    kind = _kind(entry, person)
    named = people.named(entry.name)
    return candidate._replace(
        kind=kind,
        text=expander.text(text, PATH) if expander is not None else text,
        name=named,
        keys=tuple(people.named(one) for one in entry.keys),
        is_visible=filtered(compiled, settings) is None,
        subject=shown_name(person).casefold() if person is not None else "",
        source=Piece(compiled, _key(entry, named, compiled.ref.uid), person),
    )


Standing = tuple[tuple[Candidate, bool], ...]
_BOOKS: OrderedDict[tuple[str, str], Standing] = OrderedDict()


def _standing(book: CompiledBook) -> Standing:
    """Return the candidates of a book as far as no cast changes them, each with whether none does.

    Kept for the books used last: making ten thousand takes longer than ranking them.
    """
    name = (book.id, book.digest)
    known = _BOOKS.get(name)
    if known is None:
        known = tuple(_made(book))
        _BOOKS[name] = known
        while len(_BOOKS) > KEPT_BOOKS:
            _BOOKS.popitem(last=False)
    return known


def _made(book: CompiledBook) -> Iterator[tuple[Candidate, bool]]:
    settings = book.settings
    for compiled in book.entries:
        entry = compiled.entry
        if not entry.content.strip():
            continue
        candidate = Candidate(
            id=f"{compiled.ref.book}/{compiled.ref.uid}",
            kind=_kind(entry, None),
            text=entry.content,
            name=entry.name,
            keys=entry.keys,
            use_regex=_own(entry.use_regex, settings.use_regex),
            case_sensitive=_own(entry.case_sensitive, settings.case_sensitive),
            whole_words=_own(entry.whole_words, settings.whole_words),
            pinned=compiled.is_required,
            enabled=entry.enabled,
            priority=max(0, min(HIGHEST, entry.priority)),
            order=compiled.index,
            date=_date(entry) if entry.kind == "history" else None,
            stored=Passage.of(entry.kind, entry.name, entry.content),
            source=Piece(compiled, _key(entry, entry.name, compiled.ref.uid)),
        )
        yield candidate, _is_plain(entry)


def _is_plain(entry: LoreEntry) -> bool:
    """Return whether neither cast nor generation nor macros make anything else of an entry."""
    chosen = entry.character_filter
    if entry.kind == "character" or entry.triggers or chosen.names or chosen.tags:
        return False
    return not may_have_macros(entry.content) and not any(
        "char:" in text.lower() for text in (entry.content, entry.name, *entry.keys)
    )


def _kind(entry: LoreEntry, person: Person | None) -> CandidateKind:
    """Return the kind as the template has it: lore that is about nobody of the cast stands with that of the world."""
    if entry.kind == "character":
        return "character" if person is not None else "world"
    return entry.kind


def _key(entry: LoreEntry, name: str, uid: str) -> str:
    """Return what the entry is called among the facts: its date, else its name, a key, or its uid."""
    if entry.kind == "history" and entry.date is not None:
        return date_text(entry.date.year, entry.date.month, entry.date.day)
    return name.strip() or next((key for key in entry.keys if key.strip()), "") or uid


def _date(entry: LoreEntry) -> Date | None:
    date = entry.date
    return (date.year, date.month or 0, date.day or 0) if date is not None else None


def _own(own: bool | None, books: bool) -> bool:
    return books if own is None else own
