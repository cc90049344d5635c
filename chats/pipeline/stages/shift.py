"""Shift stage: before interceptors see the prompt, what is too old for it has left, by the sums of counts."""

from __future__ import annotations

from chats.pipeline.budget import Budget
from chats.pipeline.counting import costs_for
from chats.pipeline.ports import Ports
from chats.pipeline.shifting.shift import shift
from chats.pipeline.sources import Assembled, Excluded
from chats.pipeline.trace import Change, Step
from formats.prompt.compiled import CompiledFormat

REASON = "context-shift"


def shift_first(assembled: Assembled, form: CompiledFormat | None, ports: Ports, budget: Budget) -> Step[Assembled]:
    """Return what fits by the sums. The text decides later: the fit stage counts it."""
    settings = assembled.settings
    costs = costs_for(form, ports.counter, settings.tools, settings.prefill)
    shifted = shift(assembled, costs, budget)
    gone = [(place, assembled.messages[place]) for place in shifted.gone]
    kept = shifted.assembled.without_more([Excluded(message.id, message.origin, REASON) for _, message in gone])
    changes = [Change("dropped", assembled.place(place), message.origin, REASON, message.id) for place, message in gone]
    return Step(kept, changes, tokens=shifted.cost)
