"""Inclusion groups: of the entries of one group, one is in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from chats.lore.outcome import Code, Hit, Reason
from chats.lore.settings import Rolls

_HOLDING: Final = frozenset({Code.PINNED, Code.STICKY})


def losers(fresh: Sequence[Hit], taken: Iterable[Hit], rolls: Rolls) -> list[tuple[Hit, Reason]]:
    """Return the hits that lose their group, with the winner and how it won. `fresh` is in order of importance.

    A group that an earlier step filled is closed. What is pinned or sticky holds its group. Then scores decide, where
    an entry asks for it; then an override, the highest `order` first; then chance, by weight.
    """
    members: dict[str, list[Hit]] = {}
    for hit in fresh:
        for group in dict.fromkeys(hit.compiled.entry.groups):
            members.setdefault(group, []).append(hit)
    if not members:
        return []
    closed = {group: hit for hit in taken for group in hit.compiled.entry.groups}
    out: dict[int, tuple[Hit, Reason]] = {}
    for group, listed in members.items():
        left = [hit for hit in listed if id(hit) not in out]
        for hit, reason in _losers(group, left, closed.get(group), rolls):
            out[id(hit)] = (hit, reason)
    return list(out.values())


def _losers(group: str, members: list[Hit], holder: Hit | None, rolls: Rolls) -> list[tuple[Hit, Reason]]:
    held = [hit for hit in members if hit.reason.code in _HOLDING]
    free = [hit for hit in members if hit.reason.code not in _HOLDING]
    if holder is not None or held:
        winner = holder or held[0]
        return [(hit, _lost(group, winner, "held")) for hit in free]
    best = max(free, key=lambda hit: hit.score, default=None)
    if best is None or len(free) < 2:
        return []
    scored = [hit for hit in free if _is_outscored(hit, best)]
    out = [(hit, _lost(group, best, "score", score=hit.score, best=best.score)) for hit in scored]
    left = [hit for hit in free if not _is_outscored(hit, best)]
    winner, how = _winner(group, left, rolls)
    return out + [(hit, _lost(group, winner, how)) for hit in left if hit is not winner]


def _is_outscored(hit: Hit, best: Hit) -> bool:
    return hit.compiled.is_scored and hit.score < best.score


def _winner(group: str, members: list[Hit], rolls: Rolls) -> tuple[Hit, str]:
    overriding = [hit for hit in members if hit.compiled.entry.group_override]
    if overriding:
        return max(overriding, key=lambda hit: hit.compiled.entry.order), "override"
    total = sum(hit.compiled.entry.group_weight for hit in members)
    point = rolls.roll("group", group) * total
    for hit in members:
        point -= hit.compiled.entry.group_weight
        if point < 0:
            return hit, "weight"
    return members[0], "weight"


def _lost(group: str, winner: Hit, how: str, **figures: int) -> Reason:
    return Reason(Code.GROUP, {"group": group, "winner": winner.ref.uid, "book": winner.ref.book, "by": how, **figures})
