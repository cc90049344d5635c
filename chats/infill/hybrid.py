"""The hybrid engine: the keyword engine's signals, and meaning as one more that counts as much as keys do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from chats.infill.filling import Filling
from chats.infill.keyword.engine import ranked_selection
from chats.infill.keyword.scoring import Scores, score
from chats.infill.semantic.passes import search
from chats.infill.semantic.ports import Meaning
from chats.infill.types import Candidate, Cost, Options, Scene, Selection

WEIGHT: Final = 0.35
SECOND: Final = 0.8
"""What the nearest of the second pass is worth beside the nearest of the first."""


class HybridEngine:
    """Raises NothingSaid, VectorsMissing and EmbedderFailed: `chats.infill.fallback` makes keywords of them."""

    name: Final[Literal["hybrid"]] = "hybrid"

    def __init__(self, options: Options, meaning: Meaning) -> None:
        self._options, self._meaning = options, meaning

    def select(
        self, scene: Scene, candidates: Sequence[Candidate], budget: int | None, cost: Cost | None = None
    ) -> Selection:
        """Return what is in; `Engine.select` says how."""
        scores = score(scene, candidates)
        open_ = Filling(candidates, budget, lambda _one: 0).standing(scene)
        meanings = self._meanings(scene, candidates, open_)
        parts = [{**own, "meaning": meanings[at]} if at in meanings else own for at, own in enumerate(scores.parts)]
        totals = [total + WEIGHT * meanings.get(at, 0.0) for at, total in enumerate(scores.totals)]
        return ranked_selection(
            self.name,
            scene,
            candidates,
            scores=Scores(totals, parts, scores.findings),
            options=self._options,
            budget=budget,
            cost=cost,
        )

    def _meanings(self, scene: Scene, candidates: Sequence[Candidate], open_: Sequence[int]) -> dict[int, float]:
        """Return for each candidate that is near how near it is, 1 for the nearest to the newest messages."""
        found = search(scene, candidates, open_, self._meaning)
        near: dict[int, float] = {}
        for weight, one in zip((1.0, SECOND), found.near.fused, strict=False):
            for row, fused in one.items():
                at = found.at[row]
                near[at] = max(near.get(at, 0.0), weight * fused)
        return near
