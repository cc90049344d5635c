"""An embedder small enough to see through: each text is the ideas that its words stand for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chats.infill.semantic.ports import EmbedderFailed, Meaning, VectorsMissing
from chats.infill.types import Passage
from chats.infill.words import words_of

IDEAS = (
    {"lamp", "lighthouse", "beacon", "phare"},
    {"dragon", "lizard", "beast"},
    {"tax", "toll", "guild"},
    {"goat", "horned"},
    {"sea", "water", "harbour"},
)


class Ideas:
    """One dimension an idea; a text without any is a vector of length 0."""

    model = "ideas"
    floor = 0.3

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.asked: list[str] = []

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        return self._vectors(texts)

    def queries(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        return self._vectors(texts)

    def _vectors(self, texts: Sequence[str]) -> np.ndarray:
        if self.fails:
            raise EmbedderFailed("The model is asleep.")
        rows = np.array([[float(len(idea & set(words_of(text)))) for idea in IDEAS] for text in texts], np.float32)
        rows = rows.reshape(len(texts), len(IDEAS))
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


class Index:
    """Has the vectors of everything but the texts in `without`."""

    def __init__(self, embedder: Ideas, without: Sequence[str] = ()) -> None:
        self._embedder, self._without = embedder, without

    def matrix(self, passages: tuple[Passage, ...], *, lasting: bool) -> np.ndarray:
        missing = sum(passage.text in self._without for passage in passages)
        if missing:
            raise VectorsMissing(missing, len(passages))
        return self._embedder.passages([passage.content for passage in passages])


def meaning(*, without: Sequence[str] = (), fails: bool = False) -> Meaning:
    embedder = Ideas(fails=fails)
    return Meaning(embedder, Index(embedder, without))
