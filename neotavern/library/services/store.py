"""The parts that every write of an item is made of: lock, insert, count. Called inside a transaction only."""

from __future__ import annotations

from collections.abc import Iterable

import orjson
from django.db import IntegrityError, transaction

from neotavern.accounts import audit
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import AppError, conflict, forbidden, not_found
from neotavern.library import kinds, privacy
from neotavern.library.models import NAME_CHARACTERS, Checks, ImportBatch, Item, ItemTag, Reference, Revision
from neotavern.library.services.prepare import Prepared

TAG_MARK = "\x1f"
"""Stands in an item's search text before its tags, which change without the document."""


def refuse_builtin(item: Item) -> None:
    """Raise FORBIDDEN for a built-in."""
    if item.is_builtin:
        raise forbidden(f"{item.slug!r} is built in and read-only: clone it to change it.", slug=item.slug)


def refuse_archived(item: Item) -> None:
    """Raise CONFLICT for an item in the trash."""
    if item.is_archived:
        raise conflict(f"{item.slug!r} is archived: restore it first.", slug=item.slug, archived=True)


def lock(item: Item) -> Item:
    """Return the item as it stands now, held until the transaction ends. Raises NOT_FOUND when it was deleted."""
    held = Item.objects.select_for_update().filter(pk=item.pk).first()
    if held is None:
        raise not_found("This object", slug=item.slug)
    return held


def newest(item: Item) -> Revision:
    """Return the newest revision of any colour. Raises NOT_FOUND when there is none."""
    revision = item.revisions.filter(number=item.last_number).first()
    if revision is None:
        raise not_found("This revision", slug=item.slug)
    return revision


def insert_item(actor: Actor, prepared: Prepared, *, origin: str = "") -> Item:
    """Return a new item without revisions. Raises CONFLICT when the team has the slug already."""
    item = Item(
        team_id=actor.team_id,
        kind=prepared.kind.name,
        slug=prepared.slug,
        name=prepared.valid.name[:NAME_CHARACTERS],
        origin=origin,
        created_at=actor.now,
        updated_at=actor.now,
    )
    privacy.claim(actor, item)
    try:
        with transaction.atomic():
            item.save(force_insert=True)
    except IntegrityError as error:
        raise taken(prepared.slug) from error
    return item


def taken(slug: str) -> AppError:
    """Return the 409 for a slug that the team uses already, perhaps for something in the trash."""
    return conflict(f"The slug {slug!r} is taken, perhaps by an archived object: choose another.", slug=slug)


def insert_revision(
    actor: Actor | None, item: Item, prepared: Prepared, *, batch: ImportBatch | None = None, note: str | None = None
) -> Revision:
    """Add the next revision of a locked item and let the item follow: head, texts, tags, references."""
    privacy.settle(actor, item, prepared.kind, prepared.valid.document)
    before = set(document_tags(item))
    item.last_number += 1
    revision = Revision(
        item=item,
        number=item.last_number,
        document=prepared.text,
        content_hash=prepared.hash,
        checks=prepared.colour,
        findings=prepared.findings_text,
        note=prepared.note if note is None else note,
        author=actor.user if actor else None,
        author_name=actor.name if actor else "",
        batch=batch,
        created_at=actor.now if actor else item.updated_at,
    )
    revision.save()
    if prepared.colour != Checks.RED:
        item.head = item.last_number
    _insert_references(revision, prepared)
    if prepared.kind.parts is not None and prepared.valid.parts is not None:
        prepared.kind.parts.write(item.pk, item.last_number, prepared.valid.parts)
    tags = set_tags(item, (set(tags_of(item)) - before) | set(prepared.valid.tags))
    _describe(item, prepared, tags)
    bump(actor, item)
    return revision


def document_tags(item: Item) -> list[str]:
    """Return the tags that the newest document brought: a tag put on the item by hand outlives a save."""
    row = item.revisions.filter(number=item.last_number).first()
    if row is None:
        return []
    tags = orjson.loads(row.document).get("tags", [])
    return [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []


def tags_of(item: Item) -> list[str]:
    """Return the tags of an item, sorted."""
    return sorted(item.tag_rows.values_list("tag", flat=True))


def set_tags(item: Item, tags: Iterable[str]) -> list[str]:
    """Make `tags` the tags of an item; return them sorted."""
    wanted, have = set(tags), set(tags_of(item))
    if have - wanted:
        item.tag_rows.filter(tag__in=have - wanted).delete()
    ItemTag.objects.bulk_create([ItemTag(item=item, tag=tag) for tag in sorted(wanted - have)])
    return sorted(wanted)


def _insert_references(revision: Revision, prepared: Prepared) -> None:
    Reference.objects.bulk_create(
        Reference(
            revision=revision,
            path=mention.path,
            target_kind=mention.kind,
            target_slug=mention.pointer.slug,
            pin=mention.pointer.pin,
        )
        for mention in prepared.valid.mentions
    )


def _describe(item: Item, prepared: Prepared, tags: list[str]) -> None:
    """Let list and search show the newest document."""
    valid = prepared.valid
    item.name = valid.name[:NAME_CHARACTERS]
    item.description = valid.description
    words = [valid.name, item.slug, valid.description, valid.search_text]
    item.search_text = with_tags("\n".join(words).replace(TAG_MARK, " ").casefold(), tags)


def with_tags(search_text: str, tags: Iterable[str]) -> str:
    """Return an item's search text with `tags` in place of those that it ends with."""
    words = "\n".join(tags).replace(TAG_MARK, " ").casefold()
    return search_text.partition(TAG_MARK)[0] + TAG_MARK + words


def bump(actor: Actor | None, item: Item) -> None:
    """Write a locked item with its next row version: every ETag given out before is stale from here on."""
    item.row_version += 1
    if actor is not None:
        item.updated_at = actor.now
        item.updated_by = actor.user
        item.updated_by_name = actor.name
    item.save()


def audited(actor: Actor, action: str, item: Item, *, before: Revision | None, after: Revision) -> None:
    """Record a save: numbers for content, the documents themselves for kinds that are settings."""
    kind = kinds.get(item.kind)
    whole = kind.audits_documents and kind.shown_slug(item.slug) == item.slug  # the audit has many readers
    audit.record(
        actor,
        action,
        item_kind=item.kind,
        item_slug=item.slug,
        from_number=before.number if before else None,
        to_number=after.number,
        before=before.document if before and whole else "",
        after=after.document if whole else "",
    )
