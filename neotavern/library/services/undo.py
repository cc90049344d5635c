"""Takes an import back: what it created goes to the trash, what it changed gets its former document again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import orjson
from django.db import transaction

from neotavern.accounts import audit, permissions
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import AppError, conflict, not_found
from neotavern.library import kinds, selectors
from neotavern.library.models import Checks, ImportBatch, Item, Revision
from neotavern.library.pointers import MAX_NUMBER
from neotavern.library.services import lifecycle, saving, store
from neotavern.library.services.prepare import prepare
from neotavern.library.services.saving import Base


@dataclass(frozen=True, slots=True)
class Undone:
    """What became of one object; `kept` with the reason in `error` when something hangs on it by now."""

    kind: str
    slug: str
    action: Literal["archived", "restored", "kept"]
    error: dict[str, Any] | None = None

    def wire(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"kind": self.kind, "slug": self.slug, "action": self.action, "error": self.error}


@transaction.atomic
def undo_import(actor: Actor, *, batch_id: int) -> list[Undone]:
    """Undo an import of the team, once; administrators may.

    An object that somebody changed since, or that is in use, is kept. Raises NOT_FOUND, and CONFLICT the second time.
    """
    permissions.require(actor, "administer")
    rows = ImportBatch.objects.select_for_update().filter(team_id=actor.team_id)
    batch_id = max(0, min(batch_id, MAX_NUMBER))  # JSON writers have no larger numbers
    batch = rows.filter(pk=batch_id).first()
    if batch is None:
        raise not_found("This import", id=batch_id)
    if batch.undone_at is not None:
        raise conflict("This import is undone already.", id=batch_id)
    undone = [
        _one(actor, item, batch) for item in Item.objects.filter(revisions__batch=batch).distinct().order_by("id")
    ]
    batch.undone_at = actor.now
    batch.save(update_fields=["undone_at"])
    audit.record(
        actor, "import.undo", item_slug=str(batch_id), after=orjson.dumps([one.wire() for one in undone]).decode()
    )
    return undone


def _one(actor: Actor, item: Item, batch: ImportBatch) -> Undone:
    numbers = sorted(item.revisions.filter(batch=batch).values_list("number", flat=True))
    try:
        with transaction.atomic():
            if numbers[-1] != item.last_number:
                raise conflict(f"{item.slug!r} was changed since.", currentRevision=item.last_number)
            if numbers[0] == 1:
                lifecycle.archive(actor, item=item)
                return Undone(item.kind, item.slug, "archived")
            _take_back(actor, item, item.revisions.get(number=numbers[0] - 1))
            return Undone(item.kind, item.slug, "restored")
    except AppError as error:
        return Undone(item.kind, item.slug, "kept", error.body()["error"])


def _take_back(actor: Actor, item: Item, former: Revision) -> None:
    prepared = prepare(
        kinds.get(item.kind),
        selectors.former_document(item, former),
        slug=item.slug,
        note=f"Import undone: as revision {former.number}",
        force=former.checks == Checks.FORCED,
    )
    saving.append(actor, store.lock(item), prepared, base=Base(item.last_number), action="item.restore")
