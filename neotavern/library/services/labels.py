"""Labels: names that a person moves from one revision to another."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from neotavern.accounts import audit, permissions
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import conflict, invalid, not_found
from neotavern.library import usage
from neotavern.library.models import Checks, Item, Label, Revision
from neotavern.library.pointers import check_label
from neotavern.library.services import mentions, saving, store
from neotavern.library.services.saving import NO_BASE, Base

LARGEST = 2**63 - 1
"""Error bodies have no larger numbers; no revision comes near."""


@dataclass(frozen=True, slots=True)
class LabelMove:
    """Where a label points now, and where it pointed before (None: it is new)."""

    label: str
    revision: int
    previous: int | None


@transaction.atomic
def move_label(actor: Actor, *, item: Item, name: str, number: int, base: Base = NO_BASE) -> LabelMove:
    """Point label `name` of `item` at revision `number`; holds for every process at once.

    Raises FORBIDDEN for a label that the team protects, unless an administrator moves it; VALIDATION for a name that
    can not be moved, for a red revision and for one that names what is gone by now, NOT_FOUND for an unknown revision.
    """
    permissions.require_move_label(actor, name)
    saving.may_change(actor, item)
    check_label(name)
    held = store.lock(item)
    saving.check_base(held, base)
    store.refuse_archived(held)
    mentions.verify_revision(actor, _publishable(held, number))
    label = held.labels.filter(name=name).first()
    previous = label.number if label else None
    if previous != number:
        _point(actor, held, name, number)
        _record(actor, "label.move", held, name, before=previous, after=number)
    return LabelMove(name, number, previous)


def _point(actor: Actor, item: Item, name: str, number: int) -> None:
    values = {"number": number, "moved_by": actor.user, "moved_by_name": actor.name, "moved_at": actor.now}
    Label.objects.update_or_create(item=item, name=name, defaults=values)
    store.bump(actor, item)


@transaction.atomic
def delete_label(actor: Actor, *, item: Item, name: str, base: Base = NO_BASE) -> None:
    """Remove a label, with the rights that moving it needs.

    Raises NOT_FOUND when there is none, CONFLICT with `usedBy` while something asks for it.
    """
    permissions.require_move_label(actor, name)
    saving.may_change(actor, item)
    check_label(name)
    held = store.lock(item)
    saving.check_base(held, base)
    label = held.labels.filter(name=name).first()
    if label is None:
        raise not_found(f"The label {name!r}", label=name)
    users = usage.used_by(held, pin=name)
    if users:
        raise conflict(f"{held.slug}@{name} is in use: choose another there first.", usedBy=users)
    label.delete()
    store.bump(actor, held)
    _record(actor, "label.delete", held, name, before=label.number, after=None)


def _publishable(item: Item, number: int) -> Revision:
    """Return revision `number`. Raises NOT_FOUND, and VALIDATION for a red one."""
    number = max(-LARGEST, min(number, LARGEST))
    revision = item.revisions.filter(number=number).only("checks").first()
    if revision is None:
        raise not_found(f"Revision {number}", revision=number)
    if revision.checks == Checks.RED:
        raise invalid("revision", f"The checks of revision {number} are red: mend it, or save it forced with a note.")
    return revision


def _record(actor: Actor, action: str, item: Item, name: str, *, before: int | None, after: int | None) -> None:
    audit.record(
        actor,
        action,
        item_kind=item.kind,
        item_slug=item.slug,
        from_number=before,
        to_number=after,
        before=name if before is not None else "",
        after=name if after is not None else "",
    )
