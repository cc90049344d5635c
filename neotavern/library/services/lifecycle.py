"""Archive, bring back, delete for good."""

from __future__ import annotations

from django.db import transaction

from neotavern.accounts import audit, permissions
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import conflict
from neotavern.library import usage
from neotavern.library.models import Item
from neotavern.library.services import saving, store
from neotavern.library.services.saving import NO_BASE, Base


@transaction.atomic
def archive(actor: Actor, *, item: Item, base: Base = NO_BASE) -> Item:
    """Put an item into the trash, where renders do not find it. Raises CONFLICT with `usedBy` while it is in use."""
    saving.may_change(actor, item)
    held = store.lock(item)
    saving.check_base(held, base)
    if held.is_archived:
        return held
    _refuse_used(held)
    held.archived_at = actor.now
    store.bump(actor, held)
    audit.record(actor, "item.archive", item_kind=held.kind, item_slug=held.slug, from_number=held.last_number)
    return held


@transaction.atomic
def unarchive(actor: Actor, *, item: Item) -> Item:
    """Take an item out of the trash."""
    saving.may_change(actor, item)
    held = store.lock(item)
    if held.is_archived:
        held.archived_at = None
        store.bump(actor, held)
        audit.record(actor, "item.unarchive", item_kind=held.kind, item_slug=held.slug, to_number=held.last_number)
    return held


@transaction.atomic
def delete(actor: Actor, *, item: Item, base: Base = NO_BASE) -> None:
    """Delete an item with all its revisions, for good. For administrators; CONFLICT with `usedBy` while in use."""
    permissions.require(actor, "delete")
    store.refuse_builtin(item)
    held = store.lock(item)
    saving.check_base(held, base)
    _refuse_used(held)
    audit.record(actor, "item.delete", item_kind=held.kind, item_slug=held.slug, from_number=held.last_number)
    held.delete()


def _refuse_used(item: Item) -> None:
    users = usage.used_by(item)
    if users:
        names = ", ".join(f"{user['kind']} {user['slug']}" for user in users)
        raise conflict(f"{item.slug!r} is in use by {names}: choose another there first.", usedBy=users)
