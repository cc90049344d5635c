"""Writes of a book's entries, one or many at once: one new revision of the book, none where nothing changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Max

from chats import lore_rows
from chats.documents import DocumentError, LoreEntry, validate
from chats.documents.lorebook import ENTRY_LIMIT
from chats.entry_reading import current_entry, entry_etag
from chats.lore_rows import Given
from chats.models import GAP, LoreEntryRow
from formats.stored.faults import refusal
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import AppError, ErrorCode, conflict, invalid, not_found
from neotavern.library import kinds, selectors
from neotavern.library.etags import matches
from neotavern.library.models import Item
from neotavern.library.services import saving, store
from neotavern.library.services.prepare import checked_note, prepare
from neotavern.library.services.saving import NO_BASE, Base

KEYS_A_QUERY = 500


@dataclass(frozen=True, slots=True)
class Edits:
    """What shall be: entries to `save` (one without uid is new), and the uids of those to `remove`.

    `adds`: an entry whose uid the book has already is a conflict. `places` are new positions of saved entries.
    """

    save: Sequence[LoreEntry] = ()
    remove: Sequence[str] = ()
    adds: bool = False
    places: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Changed:
    """The book, its newest revision, the rows of the saved entries in order, and whether that revision is new."""

    book: Item
    revision: int
    rows: list[LoreEntryRow] = field(default_factory=list)
    is_new: bool = False


def read_entries(values: Any, path: str = "entries") -> list[LoreEntry]:
    """Return entries that a request gives. Raises VALIDATION with every fault of the first bad one."""
    if not isinstance(values, list):
        raise invalid(path, "must be an array of entries")
    return [read_entry(value, f"{path}[{at}]") for at, value in enumerate(values)]


def read_entry(value: Any, path: str = "") -> LoreEntry:
    """Return one entry. Raises VALIDATION with every fault."""
    try:
        return validate(LoreEntry, value, path)
    except DocumentError as error:
        raise refusal(error) from error


def save_entry(actor: Actor, *, book: Item, uid: str, entry: LoreEntry, base: Base, note: str = "") -> Changed:
    """Store another state of one entry.

    Staleness is that of the entry: two people who change different entries do not stand in each other's way. Raises
    VALIDATION without a base, NOT_FOUND for an unknown uid, CONFLICT or PRECONDITION_FAILED for a stale base.
    """
    saving.may_change(actor, book)
    if not base.is_given:
        raise invalid("baseRevision", "Say which revision you changed: send baseRevision, or If-Match with its ETag.")
    if entry.uid not in (None, uid):
        raise invalid("uid", f"The entry's uid is {entry.uid!r}, but a uid never changes: it is {uid!r} here.")
    return _edit_one(actor, book, uid, Edits(save=[entry.model_copy(update={"uid": uid})]), base=base, note=note)


def remove_entry(actor: Actor, *, book: Item, uid: str, base: Base = NO_BASE, note: str = "") -> Changed:
    """Take one entry out of the book; older revisions keep it."""
    return _edit_one(actor, book, uid, Edits(remove=[uid]), base=base, note=note)


@transaction.atomic
def _edit_one(actor: Actor, book: Item, uid: str, edits: Edits, *, base: Base, note: str) -> Changed:
    held = _held(actor, book)
    row = current_entry(held, uid)
    if base.if_match is not None and not matches(base.if_match, entry_etag(row)):
        raise _stale(held, row, ErrorCode.PRECONDITION_FAILED)
    return _write(actor, held, edits, base.revision, note)


@transaction.atomic
def change_entries(actor: Actor, *, book: Item, edits: Edits, base: Base = NO_BASE, note: str = "") -> Changed:
    """Store many edits as one revision.

    `base` is optional: with a revision, an entry that was changed since is a CONFLICT; an If-Match is the book's.
    Raises NOT_FOUND for an unknown uid to remove, CONFLICT for a taken one to add, VALIDATION past the limit.
    """
    held = _held(actor, book)
    if base.if_match is not None:
        saving.check_base(held, Base(if_match=base.if_match))
    return _write(actor, held, edits, base.revision, note)


def _held(actor: Actor, book: Item) -> Item:
    saving.may_change(actor, book)
    held = store.lock(book)
    store.refuse_archived(held)
    return held


def _write(actor: Actor, held: Item, edits: Edits, base: int | None, note: str) -> Changed:
    note = checked_note(note)
    number = held.last_number + 1
    saved = _named(held, edits.save, number)
    current = _current(held, [*(one.uid for one in saved), *edits.remove])
    _check(held, edits, saved, current, base)
    fresh = [one for one in saved if one.uid not in current or _differs(one, current[one.uid], edits.places)]
    if not fresh and not edits.remove:
        return Changed(held, held.last_number, [current[one.uid] for one in saved])
    made = _rows(held, fresh, current, number, edits.places)
    store.insert_revision(actor, held, _same_settings(held, note))
    lore_rows.close([current[uid].pk for uid in {*edits.remove, *(one.uid for one in fresh)} & current.keys()], number)
    lore_rows.insert(held.pk, made)
    store.audited(actor, "entries.save", held, before=held.revisions.get(number=number - 1), after=store.newest(held))
    rows = current | {row.uid: row for row in made}
    return Changed(held, number, [rows[one.uid] for one in saved], is_new=True)


def _differs(one: Given, row: LoreEntryRow, places: Mapping[str, int]) -> bool:
    return row.content_hash != one.hash or places.get(one.uid, row.position) != row.position


def _same_settings(held: Item, note: str) -> Any:
    """Return the newest settings, ready to be stored once more: the entries are what changes."""
    document = selectors.document(held, store.newest(held))
    return prepare(kinds.get(held.kind), document, slug=held.slug, note=note)


def _named(held: Item, entries: Sequence[LoreEntry], number: int) -> list[Given]:
    """Return the row forms; a new entry is called after the revision that brings it."""
    taken = {entry.uid for entry in entries if entry.uid is not None}
    if len(taken) < sum(entry.uid is not None for entry in entries):
        raise invalid("entries", "Two of the entries have the same uid.")
    if len(taken) < len(entries):
        taken |= set(_open(held).filter(uid__startswith=f"{number}.").values_list("uid", flat=True))
    free = (name for at in range(1, 2 * ENTRY_LIMIT + len(taken)) if (name := f"{number}.{at}") not in taken)
    return [Given.of(entry.uid if entry.uid is not None else next(free), entry) for entry in entries]


def _open(held: Item) -> Any:
    return LoreEntryRow.objects.filter(book=held, until=None)


def _current(held: Item, uids: Sequence[str]) -> dict[str, LoreEntryRow]:
    found: dict[str, LoreEntryRow] = {}
    for start in range(0, len(uids), KEYS_A_QUERY):
        found |= {row.uid: row for row in _open(held).filter(uid__in=uids[start : start + KEYS_A_QUERY])}
    return found


def _check(
    held: Item, edits: Edits, saved: Sequence[Given], current: Mapping[str, LoreEntryRow], base: int | None
) -> None:
    for uid in edits.remove:
        if uid not in current:
            raise not_found(f"The entry {uid[:80]!r}", uid=uid)
    for one in saved:
        if edits.adds and one.uid in current:
            raise conflict(f"The uid {one.uid[:80]!r} is taken: choose another, or save that entry.", uid=one.uid)
    for row in current.values():
        if base is not None and row.since > base:
            raise _stale(held, row, ErrorCode.CONFLICT)
    added = sum(one.uid not in current for one in saved)
    if added and _open(held).count() + added - len(edits.remove) > ENTRY_LIMIT:
        raise invalid("entries", f"A book has at most {ENTRY_LIMIT:,} entries.")


def _rows(
    held: Item,
    fresh: Sequence[Given],
    current: Mapping[str, LoreEntryRow],
    number: int,
    places: Mapping[str, int],
) -> list[LoreEntryRow]:
    """Return rows to insert: a changed entry keeps its place unless it is given another, a new one comes last."""
    last = 0
    if any(one.uid not in current for one in fresh):
        last = _open(held).aggregate(last=Max("position"))["last"] or 0
    rows = []
    for one in fresh:
        if one.uid not in current:
            last += GAP
        position = places.get(one.uid, current[one.uid].position if one.uid in current else last)
        rows.append(lore_rows.row_of(held.pk, number, one, position))
    return rows


def _stale(held: Item, row: LoreEntryRow, code: ErrorCode) -> AppError:
    message = f"The entry {row.uid[:80]!r} was changed in revision {row.since}. Nothing was saved: compare and retry."
    return AppError(code, message, params={"currentRevision": held.last_number, "uid": row.uid})
