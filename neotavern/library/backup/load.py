"""Puts the lines of an archive into the database, as they are; called inside one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

import orjson

from neotavern.accounts.models import AuditEntry, Membership, User
from neotavern.ground.errors import invalid
from neotavern.library import kinds
from neotavern.library.backup.parts import Archived
from neotavern.library.backup.rows import AuditRow, BatchRow, ItemRow, MemberRow, RevisionRow
from neotavern.library.models import ImportBatch, Item, ItemTag, Label, Reference, Revision
from neotavern.library.services.prepare import hash_of

CHUNK = 500
T = TypeVar("T")


def members(target: Archived, rows: Iterable[MemberRow]) -> None:
    """Make each a member; a user who is not there is made without a password, which an administrator sets."""
    for row in rows:
        user = User.objects.filter(username=row.username).first()
        if user is None:
            user = User(username=row.username)
            user.set_unusable_password()
            user.save()
        membership, made = Membership.objects.get_or_create(team=target.team, user=user, defaults={"role": row.role})
        if made:
            Membership.objects.filter(pk=membership.pk).update(created_at=row.created_at)
        target.users[row.username] = user.pk


def batches(target: Archived, rows: Iterable[BatchRow]) -> None:
    """Store the imports."""
    for row in rows:
        stored = ImportBatch.objects.create(
            team=target.team,
            made_by_id=target.id_of(row.made_by),
            made_by_name=row.made_by_name,
            created_at=row.created_at,
            report=row.report,
            undone_at=row.undone_at,
        )
        target.batches.append(stored.pk)


def items(target: Archived, rows: Iterable[ItemRow]) -> None:
    """Store the objects with their tags and labels. Raises VALIDATION for a kind that this version has not."""
    known = {kind.name for kind in kinds.kinds()}
    for chunk in chunks(rows):
        for row in chunk:
            if row.kind not in known:
                raise invalid("kind", f"Objects of kind {row.kind!r} are not known to this version.")
        stored = Item.objects.bulk_create(_item(target, row) for row in chunk)
        pairs = list(zip(stored, chunk, strict=True))
        target.items |= {(row.kind, row.slug): item.pk for item, row in pairs}
        ItemTag.objects.bulk_create(ItemTag(item=item, tag=tag) for item, row in pairs for tag in row.tags)
        Label.objects.bulk_create(
            Label(
                item=item,
                name=label.name,
                number=label.number,
                moved_by_id=target.id_of(label.moved_by),
                moved_by_name=label.moved_by_name,
                moved_at=label.moved_at,
            )
            for item, row in pairs
            for label in row.labels
        )


def _item(target: Archived, row: ItemRow) -> Item:
    return Item(
        team=target.team,
        kind=row.kind,
        slug=target.local_slug(row.kind, row.slug),
        name=row.name,
        description=row.description,
        search_text=row.search_text,
        origin=row.origin,
        is_private=row.is_private,
        owner_id=target.id_of(row.owner),
        head=row.head,
        last_number=row.last_number,
        row_version=row.row_version,
        archived_at=row.archived_at,
        created_at=row.created_at,
        updated_at=row.updated_at,
        updated_by_id=target.id_of(row.updated_by),
        updated_by_name=row.updated_by_name,
    )


def revisions(target: Archived, rows: Iterable[RevisionRow]) -> None:
    """Store the revisions with what they name. Raises VALIDATION when a document is not the one that was saved."""
    for chunk in chunks(rows):
        stored = Revision.objects.bulk_create(_revision(target, row) for row in chunk)
        Reference.objects.bulk_create(
            Reference(revision=revision, path=one.path, target_kind=one.kind, target_slug=one.slug, pin=one.pin)
            for revision, row in zip(stored, chunk, strict=True)
            for one in row.references
        )


def _revision(target: Archived, row: RevisionRow) -> Revision:
    item_id = target.items.get((row.kind, row.slug))
    if item_id is None:
        raise invalid("slug", f"A revision of {row.kind} {row.slug!r}, which the archive does not have.")
    if hash_of(orjson.loads(row.document)) != row.content_hash:
        raise invalid("document", f"Revision {row.number} of {row.slug!r} is not what was saved: its hash differs.")
    if row.batch is not None and not 0 < row.batch <= len(target.batches):
        raise invalid("batch", f"Revision {row.number} of {row.slug!r} is of an import that the archive does not have.")
    return Revision(
        item_id=item_id,
        number=row.number,
        document=row.document,
        content_hash=row.content_hash,
        checks=row.checks,
        findings=row.findings,
        note=row.note,
        author_id=target.id_of(row.author),
        author_name=row.author_name,
        batch_id=None if row.batch is None else target.batches[row.batch - 1],
        created_at=row.created_at,
    )


def audit(target: Archived, rows: Iterable[AuditRow]) -> None:
    """Store the trail; entries speak of people by name, since ids of another database mean nothing here."""
    for chunk in chunks(rows):
        AuditEntry.objects.bulk_create(
            AuditEntry(
                team_id=target.team.pk,
                at=row.at,
                actor_kind=row.actor_kind,
                actor_name=row.actor_name,
                via=row.via,
                action=row.action,
                item_kind=row.item_kind,
                item_slug=target.local_slug(row.item_kind, row.item_slug),
                from_number=row.from_number,
                to_number=row.to_number,
                before=row.before,
                after=row.after,
                request_id=row.request_id,
            )
            for row in chunk
        )


def chunks(rows: Iterable[T]) -> Iterator[list[T]]:
    """Yield the rows in lists that one statement takes."""
    rest = iter(rows)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk
