"""Reads of stored objects: of the own team and the built-ins; nothing else exists for the caller."""

from __future__ import annotations

from typing import Any

import orjson
from django.db.models import Q

from neotavern.accounts.actor import Actor
from neotavern.ground.errors import invalid, not_found
from neotavern.library import kinds
from neotavern.library.closed import require_open
from neotavern.library.listing import Page, list_items, list_revisions
from neotavern.library.models import Item, Revision
from neotavern.library.pointers import LATEST, MAX_NUMBER, is_slug
from neotavern.library.privacy import visible
from neotavern.library.shapes import summary

__all__ = [
    "Page",
    "document",
    "former_document",
    "get_item",
    "list_items",
    "list_revisions",
    "revision",
    "stored",
    "summary",
    "tags_of",
    "whole_document",
]


def get_item(actor: Actor, *, kind: str, slug: str, archived: bool = False) -> Item:
    """Return the object that `slug` means: the team's own, else the built-in.

    Raises NOT_FOUND for what is not there, another team's object included, and FORBIDDEN for a kind that the team keeps
    to its administrators. An archived one is found with `archived`.
    """
    require_open(actor, kind)
    item = _own_or_builtin(actor, kind, slug) if is_slug(slug) else None
    if item is None or (item.is_archived and not archived):
        raise not_found(f"{slug[:80]!r}", slug=slug)
    return item


def _own_or_builtin(actor: Actor, kind: str, slug: str) -> Item | None:
    own = Q(team_id=actor.team_id) & visible(actor)
    rows = Item.objects.filter(own | Q(team=None), kind=kind, slug=slug)
    return min(rows, key=lambda item: item.is_builtin, default=None)


def revision(item: Item, *, number: int | None = None, label: str | None = None) -> Revision:
    """Return a revision of `item`: by number, by label, or the newest of any colour.

    Raises VALIDATION for both, NOT_FOUND for an unknown one; `latest` is the newest green or forced one.
    """
    if number is not None and label is not None:
        raise invalid("label", "Ask by revision or by label, not by both.")
    if label is not None:
        number = _labelled(item, label)
    if number is not None:
        number = max(-MAX_NUMBER, min(number, MAX_NUMBER))  # JSON writers have no larger numbers
    found = item.revisions.filter(number=item.last_number if number is None else number).first()
    if found is None:
        raise not_found(f"Revision {number} of {item.slug!r}", slug=item.slug, revision=number)
    return found


def _labelled(item: Item, label: str) -> int:
    row = item.labels.filter(name=label).values_list("number", flat=True).first() if label.isprintable() else None
    number = item.head if label == LATEST else row
    if number is None:
        raise not_found(f"The label {label[:80]!r} of {item.slug!r}", slug=item.slug, label=label)
    return number


def document(item: Item, revision: Revision) -> dict[str, Any]:
    """Return the document of a revision, brought to the version of today."""
    return kinds.get(item.kind).migrate(orjson.loads(revision.document))


def whole_document(item: Item, revision: Revision) -> dict[str, Any]:
    """Return the document of a revision with what its kind keeps in rows beside it, as files have it."""
    parts = kinds.get(item.kind).parts
    bare = document(item, revision)
    return bare if parts is None else parts.join(item.pk, revision.number, bare)


def former_document(item: Item, revision: Revision) -> dict[str, Any]:
    """Return what a new revision is made of to be like `revision`; parts that have no revisions stay as they are."""
    parts = kinds.get(item.kind).parts
    return whole_document(item, revision) if parts is not None and parts.has_revisions else document(item, revision)


def tags_of(item: Item) -> list[str]:
    """Return the tags of an item, sorted: its document's, and those that people put on it."""
    return sorted(item.tag_rows.values_list("tag", flat=True))


def stored(item: Item, revision: Revision) -> dict[str, Any]:
    """Return the contract's stored object, showing `revision`."""
    labels = dict(item.labels.order_by("name").values_list("name", "number"))
    shown = summary(item, number=revision.number, checks=revision.checks, labels=labels, tags=tags_of(item))
    return shown | {"findings": orjson.loads(revision.findings), "document": document(item, revision)}
