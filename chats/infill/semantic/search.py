"""The nearest passages to several queries: cosines, reciprocal rank fusion, maximal marginal relevance. numpy only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from chats.infill.semantic.ports import Matrix

TOP: Final = 36
"""Nearest passages of one query that take part."""

RRF: Final = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): how little the first ranks stand out."""

RELEVANCE: Final = 0.7
"""In maximal marginal relevance (Carbonell and Goldstein, 1998): the share of relevance, the rest is novelty."""


class Near(NamedTuple):
    """For each row its best cosine to any query, and for the rows that came near their fused rank, best 1."""

    similarity: list[float]
    fused: Mapping[int, float]


def nearest(rows: Matrix, queries: Matrix, floor: float, groups: Sequence[Sequence[int]], top: int = TOP) -> Near:
    """Return what is near. `groups` are row numbers: the ranks of one group are apart from those of another.

    A row whose best cosine is below `floor` is not near, however few others there are.
    """
    import numpy as np

    if not len(rows) or not len(queries):
        return Near([0.0] * len(rows), {})
    cosines = rows @ queries.T
    best = cosines.max(axis=1)
    sums: dict[int, float] = {}
    for group in groups:
        if not group:
            continue
        places = np.asarray(group)
        inside = cosines if len(group) == len(rows) else cosines[places]
        for column in inside.T:
            for rank, at in enumerate(_largest(column, top)):
                row = int(places[at])
                if best[row] >= floor:
                    sums[row] = sums.get(row, 0.0) + 1 / (RRF + rank + 1)
    highest = max(sums.values(), default=1.0)
    return Near(best.tolist(), {row: value / highest for row, value in sums.items()})


def _largest(column: Matrix, top: int) -> Sequence[int]:
    """Return the places of the largest values, largest first, equal ones by place."""
    import numpy as np

    some = np.argpartition(-column, top)[:top] if len(column) > top else np.arange(len(column))
    found: list[int] = some[np.lexsort((some, -column[some]))].tolist()
    return found


def varied(
    rows: Matrix, scores: Mapping[int, float], caps: Mapping[int, int], group_of: Mapping[int, int]
) -> list[int]:
    """Return rows in the order of maximal marginal relevance, of each group no more than its cap.

    `scores` are the relevances. What is alike to a row before it comes later, or not at all when the cap is reached.
    """
    import numpy as np

    left = sorted(scores, key=lambda row: (-scores[row], row))
    if not left:
        return []
    room, order = dict(caps), list[int]()
    vectors = rows[np.asarray(left)]
    relevance = np.asarray([scores[row] for row in left])
    alike = np.zeros(len(left))
    is_open = np.asarray([room[group_of[row]] > 0 for row in left])
    while is_open.any():
        worth = np.where(is_open, RELEVANCE * relevance - (1 - RELEVANCE) * alike, -np.inf)
        at = int(worth.argmax())
        order.append(left[at])
        group = group_of[left[at]]
        room[group] -= 1
        is_open[at] = False
        if room[group] <= 0:
            is_open &= np.asarray([group_of[row] != group for row in left])
        alike = np.maximum(alike, vectors @ vectors[at])
    return order
