"""A team's vectors: from the process, the table, or made now where only a few are missing. Writes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from chats.infill.semantic.ports import Embedder, VectorsMissing
from chats.infill.types import Passage
from chats.models import VectorRow
from chats.services.embedding.memory import BOOKS, ROWS

if TYPE_CHECKING:
    from chats.infill.semantic.ports import Matrix

AT_ONCE: Final = 16
"""Vectors that a render makes by itself: a small book needs no worker."""

A_QUERY: Final = 500


def hash_of(text: str) -> str:
    """Return what a stored vector goes by."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class StoredIndex:
    """The vectors that `embedder` made for a team."""

    def __init__(self, team_id: int | None, embedder: Embedder) -> None:
        self._team_id, self._embedder = team_id, embedder

    def matrix(self, passages: tuple[Passage, ...], *, lasting: bool) -> Matrix:
        """Return one row for each passage. Raises VectorsMissing, EmbedderFailed."""
        key = (self._embedder.model, passages)
        found = BOOKS.get(key) if lasting else None
        if found is None:
            found = self._made(passages)
            if lasting:
                BOOKS.put(key, found, len(passages))
        made: Matrix = found
        return made

    def _made(self, passages: Sequence[Passage]) -> Matrix:
        import numpy as np

        texts = [passage.content for passage in passages]
        rows = self._known(dict.fromkeys(texts))
        missing = [text for text in dict.fromkeys(texts) if text not in rows]
        if len(missing) > AT_ONCE:
            self._remember(missing[-AT_ONCE:])
            raise VectorsMissing(len(missing), len(passages))
        rows |= self._remember(missing)
        return np.stack([rows[text] for text in texts]) if texts else np.zeros((0, 1), np.float32)

    def _known(self, texts: Iterable[str]) -> dict[str, Any]:
        """Return the vectors of the texts that have one, from the process or the table."""
        model = self._embedder.model
        rows = {text: row for text in texts if (row := ROWS.get((model, text))) is not None}
        hashes = {hash_of(text): text for text in texts if text not in rows}
        for stored, vector in stored_vectors(self._team_id, model, hashes):
            rows[hashes[stored]] = vector
            ROWS.put((model, hashes[stored]), vector)
        return rows

    def _remember(self, texts: Sequence[str]) -> Mapping[str, Any]:
        """Make vectors now and keep them in the process; a chat that is too long for that gets there render by
        render."""
        if not texts:
            return {}
        rows = dict(zip(texts, self._embedder.passages(texts), strict=True))
        for text, row in rows.items():
            ROWS.put((self._embedder.model, text), row)
        return rows


def stored_vectors(team_id: int | None, model: str, hashes: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Return hash and vector of those that the table has."""
    import numpy as np

    if team_id is None:
        return
    listed = list(hashes)
    for at in range(0, len(listed), A_QUERY):
        rows = VectorRow.objects.filter(team_id=team_id, model=model, content_hash__in=listed[at : at + A_QUERY])
        for content_hash, data in rows.values_list("content_hash", "data"):
            yield content_hash, np.frombuffer(bytes(data), dtype="<f4")


class RememberedQueries:
    """An embedder that embeds each query once: from one turn of a chat to the next four of five stay the same."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    @property
    def model(self) -> str:
        """The inner one's."""
        return self._inner.model

    @property
    def floor(self) -> float:
        """The inner one's."""
        return self._inner.floor

    def passages(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of texts that are looked for."""
        return self._inner.passages(texts)

    def queries(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of texts that are looked with."""
        import numpy as np

        model = self._inner.model
        rows: dict[str, Any] = {text: ROWS.get((model, "query", text)) for text in texts}
        missing = [text for text, row in rows.items() if row is None]
        for text, row in zip(missing, self._inner.queries(missing) if missing else (), strict=True):
            rows[text] = row
            ROWS.put((model, "query", text), row)
        made: Matrix = np.stack([rows[text] for text in texts])
        return made
