"""A server with a small model of meaning in place of a large one, and books to embed."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from chats.services.embedding import memory
from neotavern.library.models import Item
from tests.chats.infill.meanings import Ideas
from tests.chats.stored.base import StoriesTestCase

PLACES = ("configured.embedder", "job.embedder", "wanted.embedder")


class EmbeddingTestCase(StoriesTestCase):
    """`self.model` makes the vectors, in this process."""

    def setUp(self) -> None:
        super().setUp()
        self.model = Ideas()
        for place in (*(f"chats.services.embedding.{name}" for name in PLACES), "chats.services.infill.embedder"):
            self.enterContext(patch(place, lambda: self.model))
        self.forget()
        self.addCleanup(self.forget)

    def forget(self) -> None:
        """As after a restart."""
        memory.ROWS.clear()
        memory.BOOKS.clear()

    def book(self, *texts: str, slug: str = "house", **more: Any) -> Item:
        """Store a book of these texts; nothing runs on commit in a test."""
        entries = [{"uid": str(at), "name": f"E{at}", "content": text, **more} for at, text in enumerate(texts)]
        with self.captureOnCommitCallbacks(execute=False) as self.callbacks:
            self.make("lorebooks", id=slug, name=slug, entries=entries)
        return Item.objects.get(kind="lorebook", slug=slug)

    def committed(self) -> None:
        """Run what was to run on commit."""
        for callback in self.callbacks:
            callback()
