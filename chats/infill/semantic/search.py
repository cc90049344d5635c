"""The nearest passages to several queries: cosines, reciprocal rank fusion, maximal marginal relevance. numpy only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from chats.infill.semantic.ports import Matrix

TOP: Final = 36
"""Nearest passages of one query that take part."""

RRF: Final = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): how little the first ranks stand out."""

Pick = Callable[[Sequence[int]], "Matrix"]
"""Row numbers → their vectors."""

RELEVANCE: Final = 0.7
"""In maximal marginal relevance (Carbonell and Goldstein, 1998): the share of relevance, the rest is novelty."""


class Block(NamedTuple):
    """Vectors, and for each the number of its group: the ranks of one group are apart from those of another."""

    rows: Matrix
    groups: Sequence[int]


class Near(NamedTuple):
    """For each row of all blocks its best cosine to any query; for each pass of queries the rows that came near and
    their fused rank, best 1."""

    similarity: list[float]
    fused: tuple[Mapping[int, float], ...]


def nearest(blocks: Sequence[Block], passes: Sequence[Matrix], floor: float, top: int = TOP) -> Near:
    """Return what is near; rows are counted through all blocks.

    A row whose best cosine in a pass is below `floor` is not near there, however few others there are.
    """
    import numpy as np

    sums: list[dict[int, float]] = [{} for _ in passes]
    similarity: list[float] = []
    queries = np.concatenate(passes).T
    for block in blocks:
        if not len(block.rows):
            continue
        cosines, groups, column = block.rows @ queries, np.asarray(block.groups), 0
        for own, asked in zip(sums, passes, strict=True):
            _rank(own, cosines[:, column : column + len(asked)], groups, floor, top, first=len(similarity))
            column += len(asked)
        similarity += cosines.max(axis=1).tolist()
    return Near(similarity, tuple(_shares(own) for own in sums))


def _rank(sums: dict[int, float], cosines: Matrix, groups: Any, floor: float, top: int, *, first: int) -> None:
    """Add to `sums` what the ranks of the near rows of each group are worth."""
    import numpy as np

    near = np.flatnonzero(cosines.max(axis=1) >= floor)
    for group in np.unique(groups[near]):
        places = near[groups[near] == group]
        for column in cosines[places].T:
            for rank, at in enumerate(_largest(column, top)):
                row = first + int(places[at])
                sums[row] = sums.get(row, 0.0) + 1 / (RRF + rank + 1)


def _shares(sums: Mapping[int, float]) -> dict[int, float]:
    highest = max(sums.values(), default=1.0)
    return {row: value / highest for row, value in sums.items()}


def _largest(column: Matrix, top: int) -> Sequence[int]:
    """Return the places of the largest values, largest first, equal ones by place."""
    import numpy as np

    some = np.argpartition(-column, top)[:top] if len(column) > top else np.arange(len(column))
    found: list[int] = some[np.lexsort((some, -column[some]))].tolist()
    return found


def varied(
    pick: Pick, scores: Mapping[int, float], caps: Mapping[int, int], group_of: Callable[[int], int]
) -> list[int]:
    """Return rows in the order of maximal marginal relevance, of each group no more than its cap.

    `scores` are the relevances. What is alike to a row before it comes later, or not at all when the cap is reached.
    """
    import numpy as np

    left = sorted(scores, key=lambda row: (-scores[row], row))
    if not left:
        return []
    room, order = dict(caps), list[int]()
    vectors = pick(left)
    relevance = np.asarray([scores[row] for row in left])
    alike = np.zeros(len(left))
    is_open = np.asarray([room[group_of(row)] > 0 for row in left])
    while is_open.any():
        worth = np.where(is_open, RELEVANCE * relevance - (1 - RELEVANCE) * alike, -np.inf)
        at = int(worth.argmax())
        order.append(left[at])
        group = group_of(left[at])
        room[group] -= 1
        is_open[at] = False
        if room[group] <= 0:
            is_open &= np.asarray([group_of(row) != group for row in left])
        alike = np.maximum(alike, vectors @ vectors[at])
    return order
