"""Loads the built-ins of a kind: idempotent, and a changed file becomes a new revision."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

import orjson
from django.db import transaction

from neotavern.library import kinds
from neotavern.library.models import NAME_CHARACTERS, Item
from neotavern.library.services import store
from neotavern.library.services.prepare import Prepared, prepare

SINCE: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""When built-ins were changed, as far as lists know: what the team itself changed comes before all of them."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """Slugs that came in new, that changed, and that left."""

    created: list[str]
    changed: list[str]
    archived: list[str]


def load(kind: str, documents: Iterable[Any], *, now: datetime) -> Loaded:
    """Make the built-ins of `kind` those of `documents`.

    One that is no longer among them is archived: its revisions stay, and whoever still names it is told 404.
    """
    prepared = [_prepared(kind, orjson.dumps(document)) for document in documents]
    loaded = Loaded([], [], [])
    with transaction.atomic():
        stored = {item.slug: item for item in Item.objects.select_for_update().filter(team=None, kind=kind)}
        for one in prepared:
            _load_one(stored.get(one.slug), one, now, loaded)
        _archive_missing(stored, {one.slug for one in prepared}, now, loaded)
        Item.objects.filter(team=None, kind=kind).exclude(updated_at=SINCE).update(updated_at=SINCE)
    return loaded


@lru_cache(maxsize=1024)
def _prepared(kind: str, text: bytes) -> Prepared:
    """One document checked; a release's own are the same each time, and there are many of them."""
    return prepare(kinds.get(kind), orjson.loads(text))


def _load_one(item: Item | None, prepared: Prepared, now: datetime, loaded: Loaded) -> None:
    if item is None:
        item = Item(
            kind=prepared.kind.name,
            slug=prepared.slug,
            name=prepared.valid.name[:NAME_CHARACTERS],
            created_at=now,
            updated_at=now,
        )
        item.save(force_insert=True)
        loaded.created.append(item.slug)
    elif store.newest(item).content_hash == prepared.hash and not item.is_archived:
        return
    else:
        loaded.changed.append(item.slug)
    item.archived_at, item.updated_at = None, now
    store.insert_revision(None, item, prepared)


def _archive_missing(stored: dict[str, Item], present: set[str], now: datetime, loaded: Loaded) -> None:
    for slug, item in stored.items():
        if slug not in present and not item.is_archived:
            item.archived_at = item.updated_at = now
            store.bump(None, item)
            loaded.archived.append(slug)
