"""Shortest edit script of two sequences, bounded in time. Pure.

Source: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986), the greedy algorithm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

MAX_EDITS = 400
"""Inserts plus deletes that are looked for. Time and memory grow with its square, whatever the sequences are."""

Opcode = tuple[Literal["equal", "replace"], int, int, int, int]


def opcodes(before: Sequence[str], after: Sequence[str]) -> list[Opcode]:
    """Return (op, a0, a1, b0, b1): equal runs, and between them runs of `before` replaced by runs of `after`.

    Sequences that differ in more than MAX_EDITS places are, apart from a common start and end, one replacement.
    """
    start = _common(zip(before, after, strict=False))
    rest = min(len(before), len(after)) - start
    end = min(rest, _common(zip(reversed(before), reversed(after), strict=False)))
    middle_before, middle_after = before[start : len(before) - end], after[start : len(after) - end]
    matches = [(a, b) for a, b in ((i, i) for i in range(start))]
    matches += [(a + start, b + start) for a, b in _matches(middle_before, middle_after)]
    matches += [(len(before) - end + i, len(after) - end + i) for i in range(end)]
    return list(_runs(matches, len(before), len(after)))


def _common(pairs: Iterator[tuple[str, str]]) -> int:
    count = 0
    for one, other in pairs:
        if one != other:
            break
        count += 1
    return count


def _matches(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of positions that a shortest edit script keeps, or none when it is longer than MAX_EDITS."""
    furthest: dict[int, int] = {1: 0}
    trail: list[dict[int, int]] = []
    for edits in range(min(len(before) + len(after), MAX_EDITS) + 1):
        trail.append(dict(furthest))
        for diagonal in range(-edits, edits + 1, 2):
            x = _step(furthest, diagonal, edits)
            y = x - diagonal
            while x < len(before) and y < len(after) and before[x] == after[y]:
                x, y = x + 1, y + 1
            furthest[diagonal] = x
            if x >= len(before) and y >= len(after):
                return _walk_back(trail, len(before), len(after))
    return []


def _step(furthest: dict[int, int], diagonal: int, edits: int) -> int:
    """Return how far `before` is read when `diagonal` is entered: by an insert from above or a delete from the left."""
    down = furthest.get(diagonal + 1, -1)
    right = furthest.get(diagonal - 1, -1) + 1
    return down if diagonal == -edits or (diagonal != edits and down >= right) else right


def _walk_back(trail: list[dict[int, int]], x: int, y: int) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    for edits in range(len(trail) - 1, -1, -1):
        furthest, diagonal = trail[edits], x - y
        entered = _step(furthest, diagonal, edits)
        while x > entered:
            x, y = x - 1, y - 1
            pairs.append((x, y))
        came_down = diagonal == -edits or (
            diagonal != edits and furthest.get(diagonal + 1, -1) >= furthest.get(diagonal - 1, -1) + 1
        )
        x, y = (x, y - 1) if came_down else (x - 1, y)
    return pairs[::-1]


def _runs(matches: list[tuple[int, int]], before_length: int, after_length: int) -> Iterator[Opcode]:
    a = b = 0
    index = 0
    while index < len(matches):
        a1, b1 = matches[index]
        if (a, b) != (a1, b1):
            yield ("replace", a, a1, b, b1)
        last = index
        while last + 1 < len(matches) and matches[last + 1] == (matches[last][0] + 1, matches[last][1] + 1):
            last += 1
        a, b = matches[last][0] + 1, matches[last][1] + 1
        yield ("equal", a1, a, b1, b)
        index = last + 1
    if (a, b) != (before_length, after_length):
        yield ("replace", a, before_length, b, after_length)
