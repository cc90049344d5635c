"""Fills a budget with ranked candidates: greedy, by costs that add up, within a cap for each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from chats.infill.types import IN, Candidate, CandidateKind, Cost, Decision, Reason, Scene


class Filling:
    """One selection while it goes on. `standing` is decided first; then come `fill` calls, best candidates first."""

    def __init__(self, candidates: Sequence[Candidate], budget: int | None, cost: Cost | None) -> None:
        self.candidates, self.budget, self.tokens = candidates, budget, 0
        self.chosen: list[int] = []
        self.reasons: list[Reason | None] = [None] * len(candidates)
        self._cost, self._costs = cost, [-1] * len(candidates)
        self._taken: Counter[CandidateKind] = Counter()

    def standing(self, scene: Scene) -> list[int]:
        """Decide what no score decides: what is off or not for this speaker, pinned, or said just now. Return the
        rest."""
        first, open_ = len(scene.older), []
        for at, one in enumerate(self.candidates):
            if not one.enabled:
                self.reasons[at] = Reason.DISABLED
            elif not one.is_visible:
                self.reasons[at] = Reason.HIDDEN
            elif one.kind == "message" and one.order >= first:
                self._enter(at, Reason.RECENT)
            elif one.pinned:
                self._enter(at, Reason.PINNED)
            else:
                open_.append(at)
        return open_

    def fill(
        self,
        ranked: Iterable[int],
        reason: Callable[[int], Reason],
        *,
        caps: Mapping[CandidateKind, int],
        ceiling: int | None,
        shares: Mapping[CandidateKind, int] | None = None,
    ) -> None:
        """Take of `ranked`, best first, what has room below `ceiling`; one that has none does not stop others.

        `shares` are ceilings for each kind by itself.
        """
        candidates, taken, reasons = self.candidates, self._taken, self.reasons
        spent: Counter[CandidateKind] = Counter()
        for at in ranked:
            kind = candidates[at].kind
            if taken[kind] >= caps[kind]:
                reasons[at] = Reason.CAP
            elif self._is_full(at, ceiling) or (shares is not None and spent[kind] + self.cost(at) > shares[kind]):
                reasons[at] = Reason.BUDGET
            else:
                taken[kind] += 1
                spent[kind] += self._costs[at] if shares is not None else 0
                self._enter(at, reason(at))

    def _is_full(self, at: int, ceiling: int | None) -> bool:
        """Return whether there is no room; a full one asks for no more costs."""
        return ceiling is not None and (self.tokens >= ceiling or self.tokens + self.cost(at) > ceiling)

    def is_in(self, at: int) -> bool:
        """Return whether a candidate was taken."""
        return self.reasons[at] in IN

    def cost(self, at: int) -> int:
        """Return what a candidate costs; asked once."""
        if self._costs[at] < 0:
            one = self.candidates[at]
            known = one.tokens if one.tokens is not None or self._cost is None else self._cost(one)
            self._costs[at] = known or 0
        return self._costs[at]

    def decisions(self, totals: Sequence[float], parts: Sequence[Mapping[str, float]]) -> tuple[Decision, ...]:
        """Return what became of each candidate."""
        told = zip(self.candidates, self.reasons, totals, self._costs, parts, strict=True)
        return tuple(
            Decision(one.id, one.kind, reason or Reason.BUDGET, total, max(cost, 0), signals)
            for one, reason, total, cost, signals in told
        )

    def _enter(self, at: int, reason: Reason) -> None:
        self.reasons[at] = reason
        self.tokens += self.cost(at)
        self.chosen.append(at)
