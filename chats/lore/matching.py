"""Which keys of a book were seen, where first, and what that means for one entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from chats.documents.lorebook import Place
from chats.lore.compiled import CompiledBook, CompiledEntry, EntryRef
from chats.lore.folding import ScanText
from chats.lore.logic import holds, score
from chats.lore.outcome import Code, Hit, Reason
from chats.lore.patterns import Work
from chats.lore.settings import LoreSettings


class _Seen(NamedTuple):
    """Where a key that counts for an entry was seen: the better of message, named text and another entry's text."""

    code: Code
    depth: int | None = None
    place: Place | None = None
    by: EntryRef | None = None


@dataclass(slots=True)
class BookScan:
    """What was seen of one book's keys so far: the newest message, the named texts, and whose text."""

    book: CompiledBook
    is_recursive: bool
    read: int = 0
    depth_of: dict[int, int] = field(default_factory=dict)
    places_of: dict[int, list[Place]] = field(default_factory=dict)
    by: dict[int, EntryRef] = field(default_factory=dict)

    def message(self, text: ScanText, work: Work) -> set[int]:
        """Read the next older message, and return the places of the entries with a key that was not seen yet."""
        depth = self.read
        self.read += 1
        found = self.book.scan(text, work)
        if not found:
            return found
        return self._touched({key for key in found if self.depth_of.setdefault(key, depth) == depth})

    def place(self, name: Place, text: ScanText, work: Work) -> set[int]:
        """Read one of the named texts."""
        if name not in self.book.places:
            return set()
        found = self.book.scan(text, work)
        for key in found:
            self.places_of.setdefault(key, []).append(name)
        return {at for at in self._touched(found) if name in self.book.entries[at].entry.also_scan}

    def content(self, text: ScanText, ref: EntryRef, work: Work) -> set[int]:
        """Read the text of an entry that is in."""
        new = {key for key in self.book.scan(text, work) if self.by.setdefault(key, ref) == ref}
        return self._touched(new)

    def _touched(self, keys: Iterable[int]) -> set[int]:
        return {at for key in keys for at in self.book.by_key[key]}

    def seen(self, key: int, compiled: CompiledEntry, default: int) -> _Seen | None:
        """Return where `key` was seen, as far as it counts for this entry."""
        depth = self.depth_of.get(key)
        if depth is not None and depth < (default if compiled.scan_depth is None else compiled.scan_depth):
            return _Seen(Code.KEY, depth=depth)
        for place in self.places_of.get(key, ()):
            if place in compiled.entry.also_scan:
                return _Seen(Code.PLACE, place=place)
        if key in self.by and not compiled.entry.exclude_recursion:
            return _Seen(Code.RECURSION, by=self.by[key])
        return None


def match(scan: BookScan, compiled: CompiledEntry, default: int) -> Hit | Reason:
    """Return the hit that an entry's keys make, without its text yet, or why they make none."""
    primary = _seen(scan, compiled, compiled.primary, default)
    if not primary:
        return _missing(scan, compiled, default)
    logic = compiled.entry.secondary_logic
    secondary = _seen(scan, compiled, compiled.secondary, default) if compiled.secondary else {}
    typed = _typed(compiled.secondary, compiled.typed_secondary, secondary)
    if compiled.secondary and not holds(logic, len(secondary), len(compiled.secondary)):
        return Reason(Code.SECONDARY, {"logic": logic, "matched": list(typed), "of": len(compiled.secondary)})
    number = min(primary, key=lambda key: _rank(primary[key])) if len(primary) > 1 else next(iter(primary))
    first, key = primary[number], compiled.typed[compiled.primary.index(number)]
    return Hit(
        compiled=compiled,
        text="",
        reason=Reason(first.code, _figures(first, key)),
        keys=_typed(compiled.primary, compiled.typed, primary),
        secondary=typed,
        depth=first.depth,
        by=first.by,
        score=score(logic, len(primary), len(secondary)),
    )


def _rank(seen: _Seen) -> tuple[int, int]:
    return (_ORDER[seen.code], seen.depth or 0)


_ORDER: Mapping[Code, int] = {Code.KEY: 0, Code.PLACE: 1, Code.RECURSION: 2}


def _figures(seen: _Seen, key: str) -> dict[str, object]:
    if seen.by is not None:
        return {"key": key, "by": seen.by.uid, "book": seen.by.book}
    return {"key": key, "place": seen.place} if seen.place else {"key": key, "depth": seen.depth}


def _seen(scan: BookScan, compiled: CompiledEntry, keys: tuple[int, ...], default: int) -> dict[int, _Seen]:
    return {key: seen for key in keys if (seen := scan.seen(key, compiled, default)) is not None}


def _typed(keys: tuple[int, ...], typed: tuple[str, ...], seen: Mapping[int, object]) -> tuple[str, ...]:
    if len(seen) == len(keys):
        return typed
    return tuple([text for key, text in zip(keys, typed, strict=True) if key in seen])


def _missing(scan: BookScan, compiled: CompiledEntry, default: int) -> Reason:
    if not compiled.typed:
        return Reason(Code.NO_KEYS)
    deep = [(scan.depth_of[key], at) for at, key in enumerate(compiled.primary) if key in scan.depth_of]
    if deep:
        depth, at = min(deep)
        limit = default if compiled.scan_depth is None else compiled.scan_depth
        return Reason(Code.BEYOND_DEPTH, {"key": compiled.typed[at], "depth": depth, "scanDepth": limit})
    if compiled.entry.exclude_recursion and any(key in scan.by for key in compiled.primary):
        return Reason(Code.RECURSION_EXCLUDED)
    return Reason(Code.NOT_MATCHED)


def scans_of(books: Iterable[CompiledBook], settings: LoreSettings) -> list[BookScan]:
    """Return an empty scan for each book; recursion is the book's own choice, else that of the settings."""
    return [
        BookScan(book, settings.recursive if book.settings.recursive is None else book.settings.recursive)
        for book in books
    ]
