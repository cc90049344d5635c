"""Where an object is used: references of revisions that are some item's head, or labelled, or named by number."""

from __future__ import annotations

from typing import Any

from django.db.models import CharField, Exists, F, OuterRef, Q
from django.db.models.functions import Cast

from neotavern.library import kinds
from neotavern.library.models import Item, Label, Reference
from neotavern.library.privacy import SHOWN_PRIVATE


def used_by(item: Item, *, pin: str | None = None) -> list[dict[str, Any]]:
    """Return who refers to `item` (at `pin`, when given): kind, slug, and path inside the referring document."""
    labelled = Label.objects.filter(item=OuterRef("revision__item"), number=OuterRef("revision__number"))
    numbered = Reference.objects.filter(
        revision__number=F("revision__item__head"),
        revision__item__team=item.team_id,
        revision__item__archived_at=None,
        target_kind=OuterRef("revision__item__kind"),
        target_slug=OuterRef("revision__item__slug"),
        pin=Cast(OuterRef("revision__number"), CharField()),
    )
    rows = Reference.objects.filter(
        Exists(labelled) | Exists(numbered) | Q(revision__number=F("revision__item__head")),
        target_kind=item.kind,
        target_slug=item.slug,
        revision__item__team=item.team_id,
        revision__item__archived_at=None,
    ).exclude(revision__item=item)
    if pin is not None:
        rows = rows.filter(pin=pin)
    found = rows.values_list(
        "revision__item__kind", "revision__item__slug", "path", "revision__item__is_private"
    ).distinct()
    shown = (
        (kind, SHOWN_PRIVATE if private else kinds.get(kind).shown_slug(slug), path)
        for kind, slug, path, private in found
    )
    return [{"kind": kind, "slug": slug, "path": path} for kind, slug, path in sorted(set(shown))]
