"""What the semantic engine needs of the world: something that makes vectors, and something that keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from chats.infill.types import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]


class EmbedderFailed(Exception):
    """No vectors could be made; the message says why in one line."""


class VectorsMissing(Exception):
    """Some passages have no vector yet."""

    def __init__(self, missing: int, total: int) -> None:
        self.missing, self.total = missing, total
        super().__init__(f"{missing:,} of {total:,} texts have no vector yet")


class Embedder(Protocol):
    """Makes vectors of texts: float32, one row a text, each of length 1."""

    @property
    def model(self) -> str:
        """What the vectors depend on: only those of one model can be compared."""

    @property
    def floor(self) -> float:
        """The cosine below which two texts have nothing to do with each other."""

    def passages(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of texts that are looked for. Raises EmbedderFailed."""

    def queries(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of texts that are looked with. Raises EmbedderFailed."""


class VectorIndex(Protocol):
    """Keeps the vectors of passages."""

    def matrix(self, passages: tuple[Passage, ...], *, lasting: bool) -> Matrix:
        """Return one row for each passage. `lasting`: the same passages are asked for again, as those of a book are.

        Raises VectorsMissing, EmbedderFailed.
        """


@dataclass(frozen=True, slots=True)
class Meaning:
    """Both."""

    embedder: Embedder
    index: VectorIndex
