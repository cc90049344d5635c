"""The vector engine: candidates by meaning, varied, within a budget of tokens for each kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import Final, Literal

from chats.infill.filling import Filling
from chats.infill.keyword.engine import MESSAGE_LEAST, MESSAGE_SHARE, in_order
from chats.infill.keyword.weights import FADING, bonus
from chats.infill.semantic.passes import KINDS, Searched, search
from chats.infill.semantic.ports import Meaning
from chats.infill.semantic.search import varied
from chats.infill.types import NOTHING, Candidate, CandidateKind, Cost, Options, Reason, Scene, Selection
from formats.prompt.findings import Finding

A_PASS: Final[Mapping[CandidateKind, int]] = {"world": 8, "character": 6, "history": 6, "message": 12}
"""Of each kind that one pass brings in at most; there are two."""

SHARES: Final[Mapping[CandidateKind, float]] = {"world": 0.5, "character": 0.3, "history": 0.2}
"""Of the budget for lore, what each kind may fill before another's turn; what is left then goes to the best."""

FRESH: Final = 0.15
"""By how much a message said just now counts more than one of long ago that means the same."""

LISTED: Final = 1_000
"""Candidates of which a selection says how near each is; of more only those that are near at all."""

NO_CAP: Final[Mapping[CandidateKind, int]] = dict.fromkeys(KINDS, 1 << 30)
NO_MESSAGES: Final = Finding(
    "info",
    "INFILL_MESSAGES_BY_AGE",
    "Older messages have no vectors yet: the newest of them were taken, lore was chosen by meaning.",
)


class VectorEngine:
    """Raises NothingSaid, VectorsMissing and EmbedderFailed: `chats.infill.fallback` makes keywords of them."""

    name: Final[Literal["vector"]] = "vector"

    def __init__(self, options: Options, meaning: Meaning) -> None:
        self._options, self._meaning = options, meaning

    def select(
        self, scene: Scene, candidates: Sequence[Candidate], budget: int | None, cost: Cost | None = None
    ) -> Selection:
        """Return what is in; `Engine.select` says how."""
        filling = Filling(candidates, budget, cost)
        open_ = filling.standing(scene)
        found = search(scene, candidates, open_, self._meaning)
        totals: list[float] = [0.0] * len(candidates)
        parts = _similarities(found, len(candidates), self._meaning.embedder.floor)
        for at in open_:
            filling.reasons[at] = Reason.UNLIKE
        for near in found.near.fused:
            for row in near:
                filling.reasons[found.at[row]] = Reason.CAP
        ranked = _ranked(found, scene, candidates, totals, parts)
        _fill(filling, ranked, _by_age(scene, candidates, open_, ranked, totals))
        return Selection(
            engine=self.name,
            chosen=tuple(
                candidates[at].id for at in in_order(filling.chosen, candidates, by_date=self._options.by_date)
            ),
            decisions=filling.decisions(totals, parts),
            tokens=filling.tokens,
            budget=budget,
            asked=self.name,
            options={"byDate": self._options.by_date, "model": self._meaning.embedder.model},
            findings=() if found.has_messages else (NO_MESSAGES,),
        )


def _similarities(found: Searched, count: int, floor: float) -> list[Mapping[str, float]]:
    """Return the signals of each candidate: how near it is, of all while they are few enough to be listed."""
    parts: list[Mapping[str, float]] = [NOTHING] * count
    least = floor if count > LISTED else -1.0
    for at, similarity in zip(found.at, found.near.similarity, strict=True):
        if similarity >= least:
            parts[at] = {"similarity": similarity}
    return parts


def _ranked(
    found: Searched,
    scene: Scene,
    candidates: Sequence[Candidate],
    totals: list[float],
    parts: list[Mapping[str, float]],
) -> list[int]:
    """Return the candidates that the passes bring in, those of the first pass first, and note their scores."""
    caps = {number: A_PASS[kind] for number, kind in enumerate(KINDS)}
    ranked, known = list[int](), set[int]()
    for number, near in enumerate(found.near.fused, start=1):
        scores = _scores(near, found.at, scene, candidates)
        for row, score in scores.items():
            at = found.at[row]
            totals[at] = max(totals[at], score)
        for row in varied(found.pick, scores, caps, lambda row: KINDS.index(candidates[found.at[row]].kind)):
            at = found.at[row]
            if at not in known:
                known.add(at)
                totals[at] = scores[row]
                parts[at] = {**parts[at], "pass": float(number)}
                ranked.append(at)
    return ranked


def _scores(
    near: Mapping[int, float], at: Sequence[int], scene: Scene, candidates: Sequence[Candidate]
) -> dict[int, float]:
    scores: dict[int, float] = {}
    for row, fused in near.items():
        one = candidates[at[row]]
        if one.kind == "message":
            scores[row] = fused * (1 + FRESH * exp(-FADING * (len(scene.messages) - one.order)))
        else:
            scores[row] = fused + bonus(one.kind, one.priority)
    return scores


def _by_age(
    scene: Scene, candidates: Sequence[Candidate], open_: Sequence[int], ranked: Sequence[int], totals: list[float]
) -> list[int]:
    """Return the other older messages, newest first: where there is room, a chat stays whole."""
    known, older = set(ranked), max(1, len(scene.older))
    rest = [at for at in open_ if candidates[at].kind == "message" and at not in known]
    for at in rest:
        totals[at] = 0.5 * (candidates[at].order + 1) / older
    return sorted(rest, key=lambda at: -candidates[at].order)


def _fill(filling: Filling, ranked: Sequence[int], by_age: Sequence[int]) -> None:
    """Take lore up to its shares, lore up to all that lore may have, then messages, then lore where room is left."""
    lore = [at for at in ranked if filling.candidates[at].kind != "message"]
    messages = [at for at in ranked if filling.candidates[at].kind == "message"]
    budget = filling.budget
    if budget is not None:
        free = max(0, budget - filling.tokens)
        for_lore = max(0, free - max(MESSAGE_LEAST, int(MESSAGE_SHARE * free))) if messages or by_age else free
        ceiling = filling.tokens + for_lore
        shares = {kind: int(share * for_lore) for kind, share in SHARES.items()}
        filling.fill(lore, _scored, caps=NO_CAP, ceiling=ceiling, shares=shares)
        filling.fill([at for at in lore if not filling.is_in(at)], _scored, caps=NO_CAP, ceiling=ceiling)
    filling.fill([*messages, *by_age], _scored, caps=NO_CAP, ceiling=budget)
    filling.fill([at for at in lore if not filling.is_in(at)], _scored, caps=NO_CAP, ceiling=budget)


def _scored(_at: int) -> Reason:
    return Reason.SCORED
