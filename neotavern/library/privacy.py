"""Whose an object is that its kind keeps private until it is shared: asked here, and nowhere else.

A person sees her own and what is shared; a key sees what it made itself and what is shared, never what is its maker's
alone. Who made a key sees what the key made. A command, which has the whole database, sees everything.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from neotavern.accounts.actor import Actor
from neotavern.accounts.models import ApiKey
from neotavern.ground.errors import forbidden
from neotavern.library.kinds import Kind
from neotavern.library.models import Item

COMMAND = "command"
SHARED = "shared"
"""The field of a document that shares the object with the team."""

SHOWN_PRIVATE = "private"
"""What others are told instead of the slug of something private."""


def visible(actor: Actor) -> Q:
    """Return the condition that an item of the team is shared, or the caller's own."""
    if actor.via == COMMAND:
        return Q()
    mine = Q(owner=actor.user) if actor.user is not None else Q(owner_key=actor.key_id)
    return Q(is_private=False) | mine


def is_own(actor: Actor, item: Item) -> bool:
    """Return whether the caller made `item`; a command acts for whoever did."""
    if actor.via == COMMAND:
        return True
    if actor.user is not None:
        return item.owner_id == actor.user.pk
    return item.owner_key_id is not None and item.owner_key_id == actor.key_id


def is_private(kind: Kind, document: dict[str, Any]) -> bool:
    """Return whether an object of `kind` with this document is its author's alone."""
    return kind.private_until_shared and document.get(SHARED) is not True


def claim(actor: Actor, item: Item) -> None:
    """Write down who made `item`: a person, or a key and with it the person who made the key."""
    item.owner, item.owner_key_id = actor.user, actor.key_id
    if actor.key_id is not None:
        item.owner_id = ApiKey.objects.filter(pk=actor.key_id).values_list("made_by", flat=True).first()


def settle(actor: Actor | None, item: Item, kind: Kind, document: dict[str, Any]) -> None:
    """Let a locked item follow the `shared` of its newest document.

    Raises FORBIDDEN for a caller who takes away from the team what somebody else has shared with it.
    """
    wanted = is_private(kind, document)
    if wanted and actor is not None and not is_own(actor, item):
        if item.owner_id is not None or item.owner_key_id is not None:
            raise forbidden(f"{item.slug!r} was shared by its author, and only the author takes that back.")
        claim(actor, item)
    item.is_private = wanted
