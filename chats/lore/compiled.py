"""A book made ready for searching. Immutable: cache it by the book's revision."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from pydantic import TypeAdapter

from chats.documents.lorebook import InlineLorebook, Lorebook, LoreEntry, Place
from chats.lore.folding import ScanText
from chats.lore.keys import Key, parse_key
from chats.lore.patterns import PatternError, Patterns, Work, check_pattern
from chats.lore.plain import PlainKeys
from formats.prompt.findings import Finding

BAD_PATTERN: Final = "LORE_PATTERN"
LOST_KEY: Final = "LORE_KEY_NESTED"
_Place = tuple[int, str, int]
"""The place of an entry, the name of its list of keys, and the place in that."""

_ENTRIES: Final = TypeAdapter(tuple[LoreEntry, ...])


class EntryRef(NamedTuple):
    """Which entry: the id of its book, and its uid there."""

    book: str
    uid: str


@dataclass(frozen=True, slots=True)
class CompiledEntry:
    """An entry with its switches decided and its keys as numbers; `typed` is parallel to `primary`."""

    ref: EntryRef
    index: int
    entry: LoreEntry
    primary: tuple[int, ...]
    secondary: tuple[int, ...]
    typed: tuple[str, ...]
    typed_secondary: tuple[str, ...]
    scan_depth: int | None
    is_scored: bool

    @property
    def is_required(self) -> bool:
        """Whether no budget leaves it out."""
        return self.entry.pinned or self.entry.constant


@dataclass(frozen=True, slots=True)
class CompiledBook:
    """What a search needs. `by_key[k]` are the entries with key k; `standing` need no key; `deepest` is the largest
    scan depth that an entry or the book names, `has_default` whether some follow the caller's."""

    id: str
    settings: Lorebook
    entries: tuple[CompiledEntry, ...]
    by_key: tuple[tuple[int, ...], ...]
    standing: tuple[int, ...]
    deepest: int
    has_default: bool
    places: frozenset[Place]
    uids: Mapping[str, int]
    findings: tuple[Finding, ...]
    digest: str
    _folded: PlainKeys
    _exact: PlainKeys
    _patterns: Patterns

    def scan(self, text: ScanText, work: Work) -> set[int]:
        """Return the numbers of the keys that occur in `text`."""
        found: set[int] = set()
        if self._folded:
            self._folded.scan(text.folded, found)
        if self._exact:
            self._exact.scan(text.exact, found)
        if self._patterns:
            self._patterns.scan(text.encoded, found, work)
        return found

    def entry(self, uid: str) -> CompiledEntry | None:
        """Return the entry called `uid`."""
        index = self.uids.get(uid)
        return None if index is None else self.entries[index]


def compile_book(book: Lorebook, entries: Sequence[LoreEntry] | None = None, *, book_id: str) -> CompiledBook:
    """Return `book` ready for searching; an inline book has its entries inside.

    `book_id` names the book in every answer. An entry without uid is called by its place. A pattern that can not be
    compiled is a finding, with its place, and never matches.
    """
    if entries is None:
        entries = book.entries if isinstance(book, InlineLorebook) else ()
    numbers = _Numbers()
    refs = [EntryRef(book_id, uid) for uid in _uids(entries)]
    made = tuple(_entry(book, entry, index, refs[index], numbers) for index, entry in enumerate(entries))
    live = [entry for entry in made if entry.entry.enabled]
    folded, exact = (PlainKeys(numbers.plain(sensitive=sensitive)) for sensitive in (False, True))
    numbers.lost({*folded.lost}, {*exact.lost})
    return CompiledBook(
        id=book_id,
        settings=book,
        entries=made,
        by_key=_by_key(live, len(numbers.keys)),
        standing=tuple(entry.index for entry in live if entry.is_required),
        deepest=max((entry.scan_depth for entry in live if entry.scan_depth is not None), default=0),
        has_default=any(entry.scan_depth is None for entry in live),
        places=frozenset(place for entry in live for place in entry.entry.also_scan),
        uids={entry.ref.uid: entry.index for entry in made},
        findings=tuple(numbers.findings),
        digest=_digest(book, entries),
        _folded=folded,
        _exact=exact,
        _patterns=Patterns(numbers.patterns()),
    )


class _Numbers:
    """Gives each different key a number, and remembers the bad ones."""

    def __init__(self) -> None:
        self.keys: dict[Key, int] = {}
        self.findings: list[Finding] = []
        self._places: dict[Key, _Place] = {}
        self._bad: set[Key] = set()

    def number(self, key: Key, place: _Place) -> int:
        if key not in self.keys:
            self.keys[key] = len(self.keys)
            self._places[key] = place
            if key.pattern is not None:
                self._check(key, key.pattern, place)
        elif key in self._bad:
            self._check(key, key.pattern or "", place)
        return self.keys[key]

    def _check(self, key: Key, pattern: str, place: _Place) -> None:
        try:
            check_pattern(pattern)
        except PatternError as error:
            self._bad.add(key)
            text = f"The key {key.text!r} never matches: {error}."
            self.findings.append(Finding("warning", BAD_PATTERN, text, _path(place)))

    def plain(self, *, sensitive: bool) -> dict[str, tuple[int | None, int | None]]:
        """Return text → (number of it anywhere, number of it as whole words)."""
        slots: dict[str, tuple[int | None, int | None]] = {}
        for key, number in self.keys.items():
            if key.pattern is None and key.is_sensitive is sensitive:
                anywhere, whole = slots.get(key.text, (None, None))
                slots[key.text] = (anywhere, number) if key.is_whole else (number, whole)
        return slots

    def patterns(self) -> list[tuple[int, str]]:
        return [(number, key.pattern) for key, number in self.keys.items() if key.pattern and key not in self._bad]

    def lost(self, folded: set[str], exact: set[str]) -> None:
        for key in self.keys:
            if key.pattern is None and key.text in (exact if key.is_sensitive else folded):
                text = f"The key {key.text!r} is not searched for: too many other keys are endings of it."
                self.findings.append(Finding("warning", LOST_KEY, text, _path(self._places[key])))


def _uids(entries: Sequence[LoreEntry]) -> list[str]:
    """Return the uid of each entry; one without is called by its place, by `#` and its place where that is taken."""
    given = {entry.uid for entry in entries}
    places = (str(index) if str(index) not in given else f"#{index}" for index in range(len(entries)))
    return [place if entry.uid is None else entry.uid for entry, place in zip(entries, places, strict=True)]


def _entry(book: Lorebook, entry: LoreEntry, index: int, ref: EntryRef, numbers: _Numbers) -> CompiledEntry:
    primary, secondary = _keys(book, entry, index, numbers) if entry.enabled else ({}, {})
    return CompiledEntry(
        ref=ref,
        index=index,
        entry=entry,
        primary=tuple(primary),
        secondary=tuple(secondary),
        typed=tuple(primary.values()),
        typed_secondary=tuple(secondary.values()),
        scan_depth=book.scan_depth if entry.scan_depth is None else entry.scan_depth,
        is_scored=_own(entry.group_scoring, book.group_scoring),
    )


def _keys(book: Lorebook, entry: LoreEntry, index: int, numbers: _Numbers) -> tuple[dict[int, str], dict[int, str]]:
    """Return number → spelling of the keys and of the secondary ones; a key given twice counts once."""
    sensitive = _own(entry.case_sensitive, book.case_sensitive)
    whole, regex = _own(entry.whole_words, book.whole_words), _own(entry.use_regex, book.use_regex)

    def numbered(listed: Iterable[str], name: str) -> dict[int, str]:
        made: dict[int, str] = {}
        for at, typed in enumerate(listed):
            key = parse_key(typed, sensitive=sensitive, whole=whole, regex=regex)
            if key is not None:
                made.setdefault(numbers.number(key, (index, name, at)), typed)
        return made

    return numbered(entry.keys, "keys"), numbered(entry.secondary_keys if entry.selective else (), "secondaryKeys")


def _path(place: _Place) -> str:
    return "entries[{}].{}[{}]".format(*place)


def _own(own: bool | None, books: bool) -> bool:
    return books if own is None else own


def _by_key(entries: Iterable[CompiledEntry], count: int) -> tuple[tuple[int, ...], ...]:
    listed: list[list[int]] = [[] for _ in range(count)]
    for entry in entries:
        for number in {*entry.primary, *entry.secondary}:
            listed[number].append(entry.index)
    return tuple(map(tuple, listed))


def _digest(book: Lorebook, entries: Sequence[LoreEntry]) -> str:
    """Return what two equal books share, whatever they are called."""
    made = hashlib.blake2b(book.model_dump_json(exclude={"id", "entries"}).encode(), digest_size=16)
    made.update(_ENTRIES.dump_json(tuple(entries)))
    return made.hexdigest()
