"""When vectors are wanted: after a book was saved, when a person asks, and when a worker starts with another model."""

from __future__ import annotations

import logging
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone

from chats.infill.semantic.ports import EmbedderFailed
from chats.lore_rows import entries_changed
from chats.models import VectorRow
from chats.services.embedding.configured import embedder, is_local
from chats.services.embedding.job import NAME, missing_of, store, texts_of
from chats.services.team_settings import settings_of
from chats.stored.names import LOREBOOK
from formats.kinds import APP_SETTINGS
from formats.stored.app_settings import TEAM_SLUG
from neotavern.jobs import services as jobs
from neotavern.jobs.models import Job
from neotavern.library import resolve
from neotavern.library.models import Item
from neotavern.library.resolve import Ref

logger = logging.getLogger("neotavern.embedding")

AT_ONCE: Final = 8
"""Missing vectors that are made while the save is answered, by the offline model: a fifth of a second or so."""


class State(NamedTuple):
    """How far a book is: `made` of `total` texts have a vector; `job` is open or the newest that there was."""

    model: str | None
    total: int
    made: int
    job: Job | None


@receiver(entries_changed)
def after_save(sender: Any, book_id: int, **_more: Any) -> None:
    """Have the vectors of a book made once its entries are stored."""
    if embedder() is not None:
        transaction.on_commit(lambda: _soon(book_id))


def _soon(book_id: int) -> None:
    book = Item.objects.filter(pk=book_id, kind=LOREBOOK, team__isnull=False).first()
    if book is None or _keywords_only(book.team_id):
        return
    try:
        if not _at_once(book):
            ask(book)
    except Exception:
        # the book is saved: that vectors must wait may not look like a failed save
        logger.exception("vectors of a saved book")


def _keywords_only(team_id: int | None) -> bool:
    """Return whether the team's settings want no vectors."""
    now = timezone.now()
    found = resolve.resolve(resolve.TeamCaller(team_id), [Ref(APP_SETTINGS, TEAM_SLUG)], now=now).found
    return settings_of(team_id, found, now, presets=False).infill == "keyword"


def _at_once(book: Item) -> bool:
    """Make the few vectors that are missing now; return False where that is a worker's business."""
    made_by = embedder()
    if made_by is None or book.team_id is None or not is_local():
        return False
    missing = missing_of(book.team_id, made_by.model, texts_of(book))
    if len(missing) > AT_ONCE:
        return False
    try:
        if missing:
            store(book.team_id, made_by, missing)
    except EmbedderFailed:
        return False
    return True


def ask(book: Item, made_by: str = "") -> Job:
    """Return the job that makes what is missing of a book, asked for now unless one waits."""
    assert book.team_id is not None  # noqa: S101 - there are no built-in books
    return jobs.ask(book.team_id, NAME, subject=f"{book.kind}/{book.slug}", payload={"item": book.pk}, made_by=made_by)


def ask_for_all() -> int:
    """Ask for every book that lacks vectors of this server's model; return how many."""
    model = embedder()
    if model is None:
        return 0
    asked = 0
    for book in Item.objects.filter(kind=LOREBOOK, team__isnull=False, archived_at=None).iterator():
        if book.team_id is None or _keywords_only(book.team_id):
            continue
        if missing_of(book.team_id, model.model, texts_of(book)):
            ask(book)
            asked += 1
    return asked


def state_of(book: Item) -> State:
    """Return how far a book of a team is."""
    assert book.team_id is not None  # noqa: S101 - there are no built-in books
    made_by, texts = embedder(), texts_of(book)
    jobs_of = Job.objects.filter(team_id=book.team_id, kind=NAME, subject=f"{book.kind}/{book.slug}")
    job = jobs_of.order_by("-id").first()
    if made_by is None:
        return State(None, len(texts), 0, job)
    missing = missing_of(book.team_id, made_by.model, texts)
    return State(made_by.model, len(texts), len(texts) - len(missing), job)


def forget(team_id: int, model: str) -> int:
    """Remove the vectors of a model that is not used any more; return how many."""
    return VectorRow.objects.filter(team_id=team_id, model=model).delete()[0]
