"""The job that makes a book's missing vectors: only texts that changed cost anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import orjson
from django.utils.translation import gettext_lazy as lazy

from chats.infill.semantic.ports import Embedder, EmbedderFailed
from chats.infill.types import Passage
from chats.lore_rows import rows_at
from chats.models import VectorRow
from chats.services.embedding.configured import embedder, why_not
from chats.services.embedding.index import A_QUERY, hash_of
from neotavern.jobs.kinds import EMBED_QUEUE, JobKind, Progress
from neotavern.library.models import Item

NAME: Final = "embed"
BATCH: Final = 16


def run(team_id: int, payload: Mapping[str, Any], progress: Progress) -> Mapping[str, Any]:
    """Make the vectors of the item `payload["item"]`; return how many texts it has and how many were new."""
    item = Item.objects.filter(pk=payload["item"], team_id=team_id).first()
    made_by = embedder()
    if item is None or made_by is None:
        return {"skipped": "it is gone" if item is None else why_not()}
    texts = texts_of(item)
    missing = missing_of(team_id, made_by.model, texts)
    done = len(texts) - len(missing)
    progress(done, len(texts))
    for at in range(0, len(missing), BATCH):
        store(team_id, made_by, missing[at : at + BATCH])
        progress(done + min(at + BATCH, len(missing)), len(texts))
    return {"texts": len(texts), "made": len(missing), "model": made_by.model}


def texts_of(item: Item) -> dict[str, str]:
    """Return hash → text of everything of a book that is embedded, as its newest revision has it."""
    return {hash_of(passage.content): passage.content for passage in _passages(item) if passage.content.strip()}


def _passages(book: Item) -> Iterator[Passage]:
    """Return the entries as `chats.pipeline.context.candidates` asks for them."""
    for (body,) in rows_at(book.pk, book.last_number).values_list("body").iterator(A_QUERY):
        entry = orjson.loads(body)
        yield Passage.of(entry.get("kind", "world"), entry.get("name", ""), entry.get("content", ""))


def missing_of(team_id: int, model: str, texts: Mapping[str, str]) -> list[str]:
    """Return the texts that have no vector of `model` yet, short ones first: a batch of equals costs least."""
    listed, known = list(texts), set[str]()
    for at in range(0, len(listed), A_QUERY):
        rows = VectorRow.objects.filter(team_id=team_id, model=model, content_hash__in=listed[at : at + A_QUERY])
        known.update(rows.values_list("content_hash", flat=True))
    return sorted((text for hash_, text in texts.items() if hash_ not in known), key=lambda text: (len(text), text))


def store(team_id: int, made_by: Embedder, texts: Sequence[str]) -> None:
    """Make vectors and keep them; those that another worker made meanwhile stay."""
    rows = made_by.passages(texts).astype("<f4")
    VectorRow.objects.bulk_create(
        [
            VectorRow(
                team_id=team_id, model=made_by.model, content_hash=hash_of(text), dim=len(row), data=row.tobytes()
            )
            for text, row in zip(texts, rows, strict=True)
        ],
        ignore_conflicts=True,
    )


KIND: Final = JobKind(NAME, lazy("Vectors of a lorebook"), run, queue=EMBED_QUEUE, again=(EmbedderFailed,))
