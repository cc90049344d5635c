"""The keyword engine: every candidate scored by cheap signals, one ranked pool, filled greedily."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from chats.infill.filling import Filling
from chats.infill.keyword.scoring import Scores, score
from chats.infill.types import Candidate, Cost, Options, Reason, Scene, Selection

MESSAGE_SHARE: Final = 0.5
MESSAGE_LEAST: Final = 512
"""With messages first: the share of the free budget that they may fill, and what they may fill in any case."""


class KeywordEngine:
    """Ranks by keys, names, words and time. Keys rank here, they do not trigger: see `Options.min_score`."""

    name: Final[Literal["keyword"]] = "keyword"

    def __init__(self, options: Options) -> None:
        self._options = options

    def select(
        self, scene: Scene, candidates: Sequence[Candidate], budget: int | None, cost: Cost | None = None
    ) -> Selection:
        """Return what is in; `Engine.select` says how."""
        scores = score(scene, candidates)
        return ranked_selection(
            self.name, scene, candidates, scores=scores, options=self._options, budget=budget, cost=cost
        )


def ranked_selection(
    name: Literal["keyword", "hybrid"],
    scene: Scene,
    candidates: Sequence[Candidate],
    *,
    scores: Scores,
    options: Options,
    budget: int | None,
    cost: Cost | None,
) -> Selection:
    """Return the best of `candidates` by `scores`, as many as budget and caps allow."""
    filling = Filling(candidates, budget, cost)
    ranked = _ranked(filling, filling.standing(scene), scores.totals, options.min_score)
    totals, caps = scores.totals, options.caps

    def reason(at: int) -> Reason:
        return Reason.SCORED if totals[at] > 0 else Reason.ZERO_SCORE

    if options.messages_first and budget is not None:
        messages = [at for at in ranked if candidates[at].kind == "message"]
        share = max(MESSAGE_LEAST, int(MESSAGE_SHARE * max(0, budget - filling.tokens)))
        filling.fill(messages, reason, caps=caps, ceiling=min(budget, filling.tokens + share))
        ranked = [at for at in ranked if candidates[at].kind != "message"]
    filling.fill(ranked, reason, caps=caps, ceiling=budget)
    return Selection(
        engine=name,
        chosen=tuple(candidates[at].id for at in in_order(filling.chosen, candidates, by_date=options.by_date)),
        decisions=filling.decisions(totals, scores.parts),
        tokens=filling.tokens,
        budget=budget,
        asked=name,
        options=options.wire(),
        findings=scores.findings,
    )


def _ranked(filling: Filling, open_: Sequence[int], totals: Sequence[float], least: float) -> list[int]:
    """Return the open candidates best first, equal ones by their place; what scores too little is decided here."""
    if least > 0:
        for at in open_:
            if totals[at] < least:
                filling.reasons[at] = Reason.LOW_SCORE
        open_ = [at for at in open_ if totals[at] >= least]
    candidates = filling.candidates
    places = [0 if one.kind == "message" else one.order for one in candidates]
    return sorted(open_, key=lambda at: (-totals[at], places[at], at))


def in_order(chosen: Sequence[int], candidates: Sequence[Candidate], *, by_date: bool) -> list[int]:
    """Return the chosen ones in the order they are told in; with `by_date` history takes its places newest first."""
    if not by_date:
        return list(chosen)
    history = [at for at in chosen if candidates[at].kind == "history"]
    dated = iter(sorted(history, key=lambda at: candidates[at].date or (), reverse=True))
    return [next(dated) if candidates[at].kind == "history" else at for at in chosen]
