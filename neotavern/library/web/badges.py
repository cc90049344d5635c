"""What a row of a list says beside the stored object: where it comes from, what it is written in, who uses it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, F

from neotavern.accounts.actor import Actor
from neotavern.library.kinds import Kind
from neotavern.library.models import Item, Reference, Revision

JINJA = '"chatTemplate":"'
"""How a stored document with a Jinja template reads; a null would have no quote."""


def with_badges(actor: Actor, kind: Kind, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of a page with `is_imported`, `is_jinja` and `users`, by three queries for all of them."""
    slugs = [item["slug"] for item in items if not item["builtin"]]
    own = Item.objects.filter(team_id=actor.team_id, kind=kind.name, slug__in=slugs)
    imported = set(own.exclude(origin="").values_list("slug", flat=True))
    newest = Revision.objects.filter(item__in=own, number=F("item__last_number"), document__contains=JINJA)
    jinja = set(newest.values_list("item__slug", flat=True))
    users = _users(actor, kind, [item["slug"] for item in items])
    return [
        item
        | {
            "is_imported": not item["builtin"] and item["slug"] in imported,
            "is_jinja": not item["builtin"] and item["slug"] in jinja,
            "users": users.get(item["slug"], 0),
        }
        for item in items
    ]


def _users(actor: Actor, kind: Kind, slugs: Sequence[str]) -> dict[str, int]:
    """Return how many objects of the team name each slug in the revision that `latest` means."""
    rows = Reference.objects.filter(
        target_kind=kind.name,
        target_slug__in=slugs,
        revision__item__team_id=actor.team_id,
        revision__item__archived_at=None,
        revision__number=F("revision__item__head"),
    )
    counted = rows.values("target_slug").annotate(count=Count("revision__item", distinct=True))
    return dict(counted.values_list("target_slug", "count"))
