"""Restore an old revision, clone an object."""

from __future__ import annotations

from neotavern.accounts import permissions
from neotavern.accounts.actor import Actor
from neotavern.library import kinds, selectors
from neotavern.library.models import Checks, Item
from neotavern.library.pointers import check_slug
from neotavern.library.services import saving
from neotavern.library.services.prepare import prepare
from neotavern.library.services.saving import NO_BASE, Base, Saved


def restore(
    actor: Actor, *, item: Item, number: int, base: Base = NO_BASE, note: str = "", force: bool = False
) -> Saved:
    """Make a new revision with the document of revision `number`; equal to the newest, it stays as it is.

    Raises NOT_FOUND for an unknown revision. The checks run anew; one that was forced stays forced.
    """
    saving.may_change(actor, item)
    source = selectors.revision(item, number=number)
    prepared = prepare(
        kinds.get(item.kind),
        selectors.former_document(item, source),
        slug=item.slug,
        note=note or f"Restored from revision {number}",
        force=force or source.checks == Checks.FORCED,
    )
    return saving.append(actor, item, prepared, base=base, action="item.restore")


def clone(actor: Actor, *, item: Item, slug: str, name: str = "", note: str = "") -> Saved:
    """Store the newest document of `item`, built-in or not, as a new object of the actor's team.

    `name` is what the copy is called; without one it is called as the original.
    """
    permissions.require(actor, "write")
    check_slug(slug, "slug")
    source = selectors.revision(item)
    kind = kinds.get(item.kind)
    document = kind.with_slug(selectors.whole_document(item, source), slug)
    if name.strip():
        document = {**document, "name": name.strip()}
    prepared = prepare(
        kind,
        document,
        slug=slug,
        note=note or f"Cloned from {item.slug}, revision {source.number}",
        force=source.checks == Checks.FORCED,
    )
    return saving.insert(actor, prepared, action="item.clone")
