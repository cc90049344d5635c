"""Import of many documents: each is created, becomes a new revision, is unchanged, or is refused on its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

import orjson
from django.db import transaction
from django.db.models import Q

from neotavern.accounts import permissions
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import AppError, invalid
from neotavern.library import file_readers, kinds
from neotavern.library.kinds import Detected, Kind, Loss
from neotavern.library.models import ImportBatch, Item, Revision
from neotavern.library.pointers import MAX_NUMBER
from neotavern.library.privacy import visible
from neotavern.library.services import saving, store
from neotavern.library.services.prepare import Prepared, for_slug, prepare

MAX_DOCUMENTS = 1_000
OWN_FAMILY = "neotavern"
Action = Literal["created", "newRevision", "unchanged", "refused"]


@dataclass(frozen=True, slots=True)
class Upload:
    """One uploaded document with the name it came under; `error` when it could not even be read.

    `loss` is what of its file is lost with it.
    """

    name: str
    document: Any = None
    error: AppError | None = None
    loss: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one upload."""

    name: str
    action: Action
    detected: str | None = None
    kind: str | None = None
    slug: str | None = None
    revision: int | None = None
    loss: list[dict[str, str]] = field(default_factory=list)
    error: dict[str, Any] | None = None

    def wire(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {name: getattr(self, name) for name in self.__slots__}


class _DryRun(Exception):
    """Rolls a dry run back."""


def import_documents(
    actor: Actor, *, uploads: Sequence[Upload], note: str = "", dry_run: bool = False
) -> list[Outcome]:
    """Store every upload that is a known document of ours; return what became of each, in order.

    A dry run does the same and takes all of it back, so its answer is the answer of the import. Raises FORBIDDEN, and
    VALIDATION for more than 1,000 documents.
    """
    permissions.require(actor, "write")
    uploads = [part for upload in uploads for part in _split(upload)]
    if len(uploads) > MAX_DOCUMENTS:
        raise invalid("", f"An import has at most {MAX_DOCUMENTS:,} documents, this one has {len(uploads):,}.")
    if not dry_run:
        return _run(actor, uploads, note)
    outcomes: list[Outcome] = []
    with suppress(_DryRun), transaction.atomic():
        outcomes = _run(actor, uploads, note)
        raise _DryRun
    return outcomes


def _split(upload: Upload) -> list[Upload]:
    """Return the documents that an upload holds, as uploads; most hold one."""
    sections = None if upload.error is not None else file_readers.split(upload.document)
    if sections is None:
        return [upload]
    return [Upload(section.name or upload.name, section.document, loss=section.losses) for section in sections]


def _run(actor: Actor, uploads: Iterable[Upload], note: str) -> list[Outcome]:
    batch = ImportBatch.objects.create(
        team_id=actor.team_id, made_by=actor.user, made_by_name=actor.name, created_at=actor.now
    )
    outcomes = [_one(actor, upload, note, batch) for upload in uploads]
    batch.report = orjson.dumps([outcome.wire() for outcome in outcomes]).decode()
    batch.save(update_fields=["report"])
    return outcomes


def _one(actor: Actor, upload: Upload, note: str, batch: ImportBatch) -> Outcome:
    if upload.error is not None:
        return _refused(upload, upload.error)
    kind, detected = detect(upload.document)
    if kind is None or detected is None:
        return _refused(upload, invalid("", "This is no document that is known here."))
    try:
        document, loss = detected.read(upload.document, upload.name) if detected.read else (upload.document, ())
        prepared = prepare(kind, document, note=note)
        action, item, revision = _store(actor, prepared, detected, batch)
    except AppError as error:
        return _refused(upload, error, detected.label, kind.name)
    return Outcome(
        name=prepared.valid.name,
        action=action,
        detected=detected.label,
        kind=kind.name,
        slug=item.slug,
        revision=revision.number,
        loss=[one.wire() for one in (*upload.loss, *loss, *prepared.valid.loss)],
    )


def detect(document: Any) -> tuple[Kind | None, Detected | None]:
    """Return the first registered kind that knows `document`, and as what."""
    for kind in kinds.kinds():
        detected = kind.detect(document) if kind.detect else None
        if detected is not None:
            return kind, detected
    return None, None


def _refused(upload: Upload, error: AppError, detected: str | None = None, kind: str | None = None) -> Outcome:
    return Outcome(upload.name, "refused", detected=detected, kind=kind, error=error.body()["error"])


@transaction.atomic
def _store(actor: Actor, prepared: Prepared, detected: Detected, batch: ImportBatch) -> tuple[Action, Item, Revision]:
    """Decide the clash and write: same origin makes a new revision, a built-in or foreign origin a new slug."""
    origin = f"{detected.family}:{prepared.slug}"[:200]
    item = _same_origin(actor, prepared, detected, origin)
    if item is not None:
        saved = saving.append(actor, item, for_slug(prepared, item.slug), action="item.import", batch=batch)
        return ("newRevision" if saved.is_new else "unchanged"), saved.item, saved.revision
    builtin = _equal_builtin(prepared)
    if builtin is not None:
        return "unchanged", builtin, store.newest(builtin)
    fresh = for_slug(prepared, _free_slug(actor, prepared))
    saved = saving.insert(actor, fresh, action="item.import", origin=origin, batch=batch)
    return "created", saved.item, saved.revision


def _same_origin(actor: Actor, prepared: Prepared, detected: Detected, origin: str) -> Item | None:
    """Return the team's item that this document is a newer state of."""
    own = Item.objects.filter(visible(actor), team_id=actor.team_id, kind=prepared.kind.name)
    known = Q(origin=origin)
    if detected.family == OWN_FAMILY:
        known |= Q(slug=prepared.slug)
    return min(own.filter(known), key=lambda item: (item.slug != prepared.slug, item.pk), default=None)


def _equal_builtin(prepared: Prepared) -> Item | None:
    item = Item.objects.filter(team=None, kind=prepared.kind.name, slug=prepared.slug).first()
    return item if item is not None and store.newest(item).content_hash == prepared.hash else None


def _free_slug(actor: Actor, prepared: Prepared) -> str:
    """Return the document's slug, or the first of `slug-2`, `slug-3` … that nothing of the team or built in has."""
    base = prepared.slug
    taken = Item.objects.filter(Q(team_id=actor.team_id) | Q(team=None), kind=prepared.kind.name)
    used = set(taken.filter(slug__startswith=base[:110]).values_list("slug", flat=True))
    if base not in used:
        return base
    candidates = (f"{base[:110]}-{number}" for number in range(2, MAX_NUMBER))
    return next(slug for slug in candidates if slug not in used)
