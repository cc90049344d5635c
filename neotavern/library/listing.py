"""Lists by keyset pages: newest change first, each page a walk along the index, never an OFFSET."""

from __future__ import annotations

import base64
import binascii
import heapq
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

import orjson
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from neotavern.accounts.actor import Actor
from neotavern.ground.errors import invalid
from neotavern.ground.limits import MAX_PAGE_SIZE, PAGE_SIZE
from neotavern.library.closed import require_open
from neotavern.library.models import ImportBatch, Item, ItemTag, Label, Revision
from neotavern.library.privacy import visible
from neotavern.library.shapes import summary, wire_time

MAX_SEARCH_WORDS = 8


class Listed(NamedTuple):
    """An item as lists show it: the columns they need, since making 50 models costs more than the query."""

    pk: int
    team_id: int | None
    kind: str
    slug: str
    name: str
    description: str
    head: int | None
    last_number: int
    row_version: int
    archived_at: datetime | None
    updated_at: datetime
    updated_by_name: str

    @property
    def is_builtin(self) -> bool:
        """As that of an item."""
        return self.team_id is None

    @property
    def is_archived(self) -> bool:
        """As that of an item."""
        return self.archived_at is not None


@dataclass(frozen=True, slots=True)
class Page:
    """Stored objects without their documents, and the cursor of the next page (None: this is the last)."""

    items: list[dict[str, Any]]
    next_cursor: str | None


def list_items(
    actor: Actor,
    *,
    kind: str,
    search: str = "",
    tag: str | None = None,
    builtin: bool | None = None,
    archived: bool = False,
    cursor: str | None = None,
    limit: int = PAGE_SIZE,
) -> Page:
    """Return a page of the team's objects and the built-ins, newest change first.

    `search`: every word occurs in name, slug, tags, description or template text. `archived` lists the trash alone.
    Raises VALIDATION for a cursor that this function did not make.
    """
    require_open(actor, kind)
    limit = max(1, min(limit, MAX_PAGE_SIZE))
    walks = []
    if builtin is not True:
        walks.append(Item.objects.filter(visible(actor), team_id=actor.team_id))
    if builtin is not False and not archived:  # the trash holds what people threw away
        walks.append(visible_builtins(actor))
    after = _read_cursor(cursor)
    rows = [
        _narrowed(walk.filter(kind=kind, archived_at__isnull=not archived), search=search, tag=tag, after=after)
        for walk in walks
    ]
    found = [map(Listed._make, walk[: limit + 1]) for walk in rows]
    merged = heapq.merge(*found, key=lambda item: (item.updated_at, item.pk), reverse=True)
    items = list(islice(merged, limit + 1))
    more = _cursor_of(items[limit - 1]) if len(items) > limit else None
    return Page(_summaries(items[:limit]), more)


def visible_builtins(actor: Actor) -> QuerySet[Item]:
    """Return the built-ins that no object of the team stands before."""
    own = Item.objects.filter(team_id=actor.team_id, kind=OuterRef("kind"), slug=OuterRef("slug"))
    return Item.objects.filter(~Exists(own), team=None)


def _narrowed(
    rows: QuerySet[Item], *, search: str, tag: str | None, after: tuple[datetime, int] | None
) -> QuerySet[Item, tuple[Any, ...]]:
    for word in search.replace("\0", " ").casefold().split()[:MAX_SEARCH_WORDS]:
        rows = rows.filter(search_text__contains=word)
    if tag is not None:
        rows = rows.filter(Exists(ItemTag.objects.filter(item=OuterRef("pk"), tag=tag.replace("\0", ""))))
    if after is not None:
        at, pk = after
        rows = rows.filter(Q(updated_at__lt=at) | Q(updated_at=at, id__lt=pk), updated_at__lte=at)
    return rows.order_by("-updated_at", "-id").values_list(*Listed._fields)


def _summaries(items: list[Listed]) -> list[dict[str, Any]]:
    """Return the wire form of a page with three more queries, however long it is."""
    keys = [item.pk for item in items]
    labels: dict[int, dict[str, int]] = {pk: {} for pk in keys}
    for pk, name, number in Label.objects.filter(item__in=keys).values_list("item_id", "name", "number"):
        labels[pk][name] = number
    tags: dict[int, list[str]] = {pk: [] for pk in keys}
    for pk, tag in ItemTag.objects.filter(item__in=keys).values_list("item_id", "tag"):
        tags[pk].append(tag)
    newest = Revision.objects.filter(item__in=keys, number=F("item__last_number"))
    checks = dict(newest.values_list("item_id", "checks"))
    return [
        summary(
            item,
            number=item.last_number,
            checks=checks.get(item.pk, "red"),
            labels=dict(sorted(labels[item.pk].items())),
            tags=sorted(tags[item.pk]),
        )
        for item in items
    ]


def list_revisions(
    item: Item, *, cursor: str | None = None, limit: int = MAX_PAGE_SIZE
) -> tuple[list[dict[str, Any]], str | None]:
    """Return the revisions of `item`, newest first, and the cursor of the next page."""
    rows = item.revisions.order_by("-number").defer("document", "findings")
    if cursor is not None:
        rows = rows.filter(number__lt=_number_cursor(cursor))
    found = list(rows[: limit + 1])
    more = str(found[limit - 1].number) if len(found) > limit else None
    return [
        {
            "revision": row.number,
            "author": row.author_name or None,
            "note": row.note,
            "createdAt": wire_time(row.created_at),
            "contentHash": row.content_hash,
            "checks": row.checks,
        }
        for row in found[:limit]
    ], more


def list_imports(
    actor: Actor, *, cursor: str | None = None, limit: int = PAGE_SIZE
) -> tuple[list[dict[str, Any]], str | None]:
    """Return the imports of the caller's team, newest first, and the cursor of the next page."""
    rows = ImportBatch.objects.filter(team_id=actor.team_id).order_by("-id")
    if cursor is not None:
        rows = rows.filter(pk__lt=_number_cursor(cursor))
    found = list(rows[: limit + 1])
    more = str(found[limit - 1].pk) if len(found) > limit else None
    return [
        {
            "id": row.pk,
            "createdAt": wire_time(row.created_at),
            "createdBy": row.made_by_name or None,
            "undoneAt": wire_time(row.undone_at) if row.undone_at else None,
            "counts": dict(Counter(outcome["action"] for outcome in orjson.loads(row.report))),
        }
        for row in found[:limit]
    ], more


def _number_cursor(cursor: str) -> int:
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
        raise invalid("cursor", "This cursor does not come from a list: start without one.")
    return int(cursor)


def _cursor_of(item: Listed) -> str:
    return base64.urlsafe_b64encode(f"{item.updated_at.isoformat()} {item.pk}".encode()).decode()


def _read_cursor(cursor: str | None) -> tuple[datetime, int] | None:
    if cursor is None:
        return None
    try:
        at, _, pk = base64.urlsafe_b64decode(cursor.encode("ascii")).decode("ascii").partition(" ")
        moment, number = datetime.fromisoformat(at), int(pk)
    except (ValueError, binascii.Error):
        moment, number = None, 0
    if moment is None or moment.tzinfo is None or not 0 < number < 2**63:
        raise invalid("cursor", "This cursor does not come from a list: start without one.")
    return moment, number
