"""Create and save: the two ways by which a document becomes a revision."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from neotavern.accounts import permissions
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import AppError, ErrorCode, conflict, invalid
from neotavern.library import kinds
from neotavern.library.closed import require_open
from neotavern.library.etags import etag, matches
from neotavern.library.models import Checks, ImportBatch, Item, Revision
from neotavern.library.services import mentions, store
from neotavern.library.services.prepare import Prepared, prepare


@dataclass(frozen=True, slots=True)
class Base:
    """What the writer believes to be the newest: a revision number, or the ETag of an If-Match header, or both."""

    revision: int | None = None
    if_match: str | None = None

    @property
    def is_given(self) -> bool:
        """Return whether there is anything to compare."""
        return self.revision is not None or self.if_match is not None


NO_BASE = Base()


@dataclass(frozen=True, slots=True)
class Saved:
    """An item, its revision, and whether the save made that revision (False: the content was the same)."""

    item: Item
    revision: Revision
    is_new: bool


def create(
    actor: Actor,
    *,
    kind: str,
    document: Any,
    note: str = "",
    force: bool = False,
    slug: str | None = None,
) -> Saved:
    """Store a new object of the actor's team.

    Raises FORBIDDEN, the codes of `prepare`, and CONFLICT when the team uses the slug already. A built-in's slug is
    free: the team's own object is found before it.
    """
    permissions.require(actor, "write")
    require_open(actor, kind)
    prepared = prepare(kinds.get(kind), document, slug=slug, note=note, force=force)
    return insert(actor, replace(prepared, valid=prepared.kind.opening(actor, prepared.valid)))


@transaction.atomic
def insert(
    actor: Actor,
    prepared: Prepared,
    *,
    action: str = "item.create",
    origin: str = "",
    batch: ImportBatch | None = None,
) -> Saved:
    """Store a prepared document as a new item with revision 1."""
    require_open(actor, prepared.kind.name)
    mentions.verify(actor, prepared)
    item = store.insert_item(actor, prepared, origin=origin)
    revision = store.insert_revision(actor, item, prepared, batch=batch)
    store.audited(actor, action, item, before=None, after=revision)
    return Saved(item, revision, is_new=True)


def save(
    actor: Actor,
    *,
    item: Item,
    document: Any,
    base_revision: int | None = None,
    if_match: str | None = None,
    note: str = "",
    force: bool = False,
) -> Saved:
    """Store `document` as the next revision of `item`, unless it equals the newest one.

    Raises FORBIDDEN; VALIDATION without `base_revision` and `if_match`; the codes of `prepare`; CONFLICT with
    `currentRevision` for a stale base revision, PRECONDITION_FAILED for a stale ETag. A document whose checks are red
    is kept as the newest revision, and moves nothing.
    """
    base = Base(base_revision, if_match)
    may_change(actor, item)
    if not base.is_given:
        raise invalid("baseRevision", "Say which revision you changed: send baseRevision, or If-Match with its ETag.")
    prepared = prepare(kinds.get(item.kind), document, slug=item.slug, note=note, force=force)
    return append(actor, item, prepared, base=base)


def may_change(actor: Actor, item: Item) -> None:
    """Raise FORBIDDEN for a caller without the right to write, and for built-ins."""
    permissions.require(actor, "write")
    store.refuse_builtin(item)


@transaction.atomic
def append(
    actor: Actor,
    item: Item,
    prepared: Prepared,
    *,
    base: Base = NO_BASE,
    action: str = "item.save",
    batch: ImportBatch | None = None,
) -> Saved:
    """Store a prepared document as the next revision, under the lock of its item."""
    require_open(actor, item.kind)
    held = store.lock(item)
    check_base(held, base)
    store.refuse_archived(held)
    before = store.newest(held)
    if _is_same(held, before, prepared):
        return Saved(held, before, is_new=False)
    mentions.verify(actor, prepared)
    revision = store.insert_revision(actor, held, prepared, batch=batch)
    store.audited(actor, action, held, before=before, after=revision)
    return Saved(held, revision, is_new=True)


def _is_same(item: Item, newest: Revision, prepared: Prepared) -> bool:
    """Return whether a save would change nothing: equal content, unless it turns from red to green or forced."""
    is_freed = newest.checks == Checks.RED and prepared.colour != Checks.RED
    if newest.content_hash != prepared.hash or is_freed:
        return False
    rows, parts = prepared.kind.parts, prepared.valid.parts
    return rows is None or parts is None or rows.is_same(item.pk, newest.number, parts)


def check_base(item: Item, base: Base) -> None:
    """Raise PRECONDITION_FAILED or CONFLICT when a locked item has moved on from `base`."""
    current = item.last_number
    if base.if_match is not None and not matches(base.if_match, etag(item, current)):
        message = f"{item.slug!r} was changed since you read it; it is at revision {current} now. Nothing was saved."
        raise AppError(ErrorCode.PRECONDITION_FAILED, message, params={"currentRevision": current})
    if base.revision is not None and base.revision != current:
        message = f"{item.slug!r} is at revision {current}, not {base.revision}. Nothing was saved: compare and retry."
        raise conflict(message, currentRevision=current)
