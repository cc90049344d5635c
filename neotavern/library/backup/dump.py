"""Reads a team out of the database, always in the same order."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection
from django.db.models import F, OrderBy
from django.db.models.functions import Collate

from neotavern.accounts.models import AuditEntry, Membership
from neotavern.library.backup.parts import Archived
from neotavern.library.backup.rows import (
    AuditRow,
    BatchRow,
    ItemRow,
    LabelRow,
    MemberRow,
    ReferenceRow,
    RevisionRow,
    TeamRow,
)
from neotavern.library.models import ImportBatch, Item, Label, Revision

CHUNK = 500
GONE = "gone"
"""Slug in the trail of a personal object whose person is no member any more."""


def team(source: Archived) -> Iterator[TeamRow]:
    """Yield the team."""
    row = source.team
    yield TeamRow(slug=row.slug, name=row.name, policy=row.policy, created_at=row.created_at)


def members(source: Archived) -> Iterator[MemberRow]:
    """Yield the members by user name."""
    rows = Membership.objects.filter(team=source.team).select_related("user")
    for row in sorted(rows, key=lambda one: one.user.username):
        yield MemberRow(username=row.user.username, role=row.role, created_at=row.created_at)  # type: ignore[arg-type]


def batches(source: Archived) -> Iterator[BatchRow]:
    """Yield the imports, oldest first."""
    for row in ImportBatch.objects.filter(team=source.team).order_by("id").iterator(CHUNK):
        source.batches.append(row.pk)
        yield BatchRow(
            made_by=source.name_of(row.made_by_id),
            made_by_name=row.made_by_name,
            created_at=row.created_at,
            report=row.report,
            undone_at=row.undone_at,
        )


def items(source: Archived) -> Iterator[ItemRow]:
    """Yield the stored objects, the trash included, by kind and slug."""
    rows = Item.objects.filter(team=source.team).prefetch_related("labels", "tag_rows")
    for item, slug in _by_slug(source, rows.order_by(*_in_bytes("kind", "slug")).iterator(CHUNK)):
        yield ItemRow(
            kind=item.kind,
            slug=slug,
            name=item.name,
            description=item.description,
            search_text=item.search_text,
            origin=item.origin,
            is_private=item.is_private,
            owner=source.name_of(item.owner_id),
            head=item.head,
            last_number=item.last_number,
            row_version=item.row_version,
            archived_at=item.archived_at,
            created_at=item.created_at,
            updated_at=item.updated_at,
            updated_by=source.name_of(item.updated_by_id),
            updated_by_name=item.updated_by_name,
            tags=sorted(row.tag for row in item.tag_rows.all()),
            labels=[_label(source, label) for label in sorted(item.labels.all(), key=lambda label: label.name)],
        )


def _in_bytes(*fields: str) -> list[OrderBy]:
    """Return an order that is the same on every database, whatever language it sorts by."""
    collation = "C" if connection.vendor == "postgresql" else "BINARY"
    return [OrderBy(Collate(F(field), collation)) for field in fields]


def _by_slug(source: Archived, rows: Iterator[Item]) -> Iterator[tuple[Item, str]]:
    """Yield the items with their portable slugs; personal ones, whose slugs here are not theirs elsewhere, last."""
    personal: list[tuple[tuple[str, str], Item]] = []
    for item in rows:
        slug = source.portable_slug(item.kind, item.slug)
        if slug == item.slug:
            yield item, slug
        elif slug is not None:  # what belongs to nobody in the team is reached by nobody
            personal.append(((item.kind, slug), item))
    for (_, slug), item in sorted(personal, key=lambda pair: pair[0]):
        yield item, slug


def each_item(source: Archived, kind: str | None = None) -> Iterator[tuple[Item, str]]:
    """Yield the stored objects (of one kind) with their portable slugs, in the order of the archive."""
    rows = Item.objects.filter(team=source.team).only("kind", "slug")
    if kind is not None:
        rows = rows.filter(kind=kind)
    return _by_slug(source, rows.order_by(*_in_bytes("kind", "slug")).iterator(CHUNK))


def _label(source: Archived, row: Label) -> LabelRow:
    return LabelRow(
        name=row.name,
        number=row.number,
        moved_by=source.name_of(row.moved_by_id),
        moved_by_name=row.moved_by_name,
        moved_at=row.moved_at,
    )


def revisions(source: Archived) -> Iterator[RevisionRow]:
    """Yield the revisions of each object, in the order of the objects."""
    places = {pk: place for place, pk in enumerate(source.batches, 1)}
    for item, slug in each_item(source):
        for row in item.revisions.order_by("number").prefetch_related("references").iterator(CHUNK):
            yield _revision(source, row, item.kind, slug, places)


def _revision(source: Archived, row: Revision, kind: str, slug: str, places: dict[int, int]) -> RevisionRow:
    return RevisionRow(
        kind=kind,
        slug=slug,
        number=row.number,
        document=row.document,
        content_hash=row.content_hash,
        checks=row.checks,  # type: ignore[arg-type]
        findings=row.findings,
        note=row.note,
        author=source.name_of(row.author_id),
        author_name=row.author_name,
        batch=places.get(row.batch_id or 0),
        created_at=row.created_at,
        references=[
            ReferenceRow(path=one.path, kind=one.target_kind, slug=one.target_slug, pin=one.pin)
            for one in sorted(row.references.all(), key=lambda one: one.path)
        ],
    )


def audit(source: Archived) -> Iterator[AuditRow]:
    """Yield the trail, oldest first."""
    for row in AuditEntry.objects.filter(team_id=source.team.pk).order_by("id").iterator(CHUNK):
        yield AuditRow(
            at=row.at,
            actor_kind=row.actor_kind,
            actor_name=row.actor_name,
            via=row.via,
            action=row.action,
            item_kind=row.item_kind,
            item_slug=source.portable_slug(row.item_kind, row.item_slug) or GONE,
            from_number=row.from_number,
            to_number=row.to_number,
            before=row.before,
            after=row.after,
            request_id=row.request_id,
        )
