"""The shift itself: one pass over counts, from what leaves first until the rest fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chats.pipeline.budget import Budget
from chats.pipeline.counting import Costs
from chats.pipeline.shifting.registry import STRATEGIES
from chats.pipeline.shifting.summary import ORIGIN, summary_limit, summary_of
from chats.pipeline.shifting.units import Unit, sort_of, units_of
from chats.pipeline.sources import Assembled
from formats.prompt.message import Message


class Shifted(NamedTuple):
    """What is left, what it costs by the sums, the places of what left, and whether more could leave."""

    assembled: Assembled
    cost: int
    gone: tuple[int, ...]
    has_more: bool


class Shifter:
    """Shifts one assembly to one target after the other; the order in which things leave is decided once."""

    def __init__(self, assembled: Assembled, costs: Costs, budget: Budget) -> None:
        self._assembled, self._costs, self._budget = assembled, costs, budget
        self.of_message = costs.all(assembled.messages)
        self.total = costs.fixed + sum(self.of_message)
        self._strategy = STRATEGIES[budget.strategy]
        if any(message.origin == ORIGIN for message in assembled.messages):
            self._strategy = self._strategy._replace(summarises=False)
        self._order: list[Unit] | None = None

    def to(self, target: int) -> Shifted:
        """Return what is left when the sums may be `target`."""
        if self.total <= target:
            return Shifted(self._assembled, self.total, (), True)
        order = self._leaving()
        room = summary_limit(self._budget.available) + self._costs.of_role["system"] if self._strategy.summarises else 0
        wanted = self.total + room - target
        gone, freed = _first(order, wanted, self._budget.cut)
        places = tuple(sorted(place for unit in order[:gone] for place in unit.places))
        kept = without(self._assembled, places)
        cost = self.total - freed
        if room and (text := self._summary(places, room)):
            kept = _with_summary(kept, text)
            cost += self._costs.message(Message("system", text))
        return Shifted(kept, cost, places, gone < len(order))

    def _leaving(self) -> list[Unit]:
        if self._order is None:
            messages = self._assembled.messages
            is_continued = self._assembled.settings.continue_final_message
            units = units_of(messages, self.of_message, is_continued=is_continued)
            self._order = self._strategy.order([unit for unit in units if not unit.is_protected], messages)
        return self._order

    def _summary(self, places: Sequence[int], room: int) -> str:
        messages = self._assembled.messages
        gone = [messages[place] for place in places if sort_of(messages[place]) == "history"]
        return summary_of(gone, room - self._costs.of_role["system"], self._costs.count) if gone else ""


def shift(assembled: Assembled, costs: Costs, budget: Budget) -> Shifted:
    """Return what of `assembled` fits `budget` by the sums of counts."""
    return Shifter(assembled, costs, budget).to(budget.available)


def without(assembled: Assembled, places: Sequence[int]) -> Assembled:
    """Return `assembled` without the messages at `places`."""
    if not places:
        return assembled
    lost = set(places)
    kept = [place for place in range(len(assembled.messages)) if place not in lost]
    return assembled.holding(
        tuple(assembled.messages[place] for place in kept), tuple(assembled.places[place] for place in kept)
    )


def _with_summary(assembled: Assembled, text: str) -> Assembled:
    """Return `assembled` with the summary where the history begins."""
    messages, given = list(assembled.messages), list(assembled.places)
    place = next(
        (at for at, one in enumerate(messages) if sort_of(one) == "history" and one.role != "system"), len(messages)
    )
    messages.insert(place, Message("system", text, origin=ORIGIN))
    given.insert(place, None)
    return assembled.holding(tuple(messages), tuple(given))


def _first(order: Sequence[Unit], wanted: int, cut: int) -> tuple[int, int]:
    """Return how many of `order` leave so that `wanted` tokens are free, and how many that frees.

    In steps of `cut`, the same turns leave for many turns of the chat, and what is left begins the same. Only turns of
    the chat leave for the sake of a step.
    """
    step = -(-wanted // cut) * cut if cut > 0 else wanted
    freed = 0
    for number, unit in enumerate(order):
        if freed >= step or (freed >= wanted and unit.sort != "history"):
            return number, freed
        freed += unit.cost
    return len(order), freed
