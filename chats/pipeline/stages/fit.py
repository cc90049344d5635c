"""Fit stage: the only one that makes text. With a budget it drops what is too much and renders again, a few times."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from chats.pipeline.budget import Budget, BudgetExceeded, Part
from chats.pipeline.counting import Costs, array_tokens, costs_for
from chats.pipeline.ports import Ports
from chats.pipeline.rendering import Text, text_of
from chats.pipeline.shifting.shift import Shifted, Shifter
from chats.pipeline.sources import Assembled, Excluded, Rendered, Sources
from chats.pipeline.trace import Change, Step
from formats.prompt.compiled import CompiledFormat
from formats.prompt.findings import Finding
from formats.prompt.message import Message

TRIES: Final = 6
"""Renders before everything that may leave does: each try gives up at least twice as much as the one before."""

NEAR: Final = 1.1
"""By the sums so little too long may still fit: the whole is rendered before anything is dropped."""

REASON: Final = "context-shift"


@dataclass(frozen=True, slots=True)
class Made:
    """A render and its size."""

    shifted: Shifted
    text: Text | None
    tokens: int


def fit(
    assembled: Assembled, form: CompiledFormat | None, ports: Ports, *, budget: Budget | None, segments: bool
) -> Step[Rendered]:
    """Return the messages as text in `form`, within `budget`; without a format there is no text.

    Raises RenderRefused when format and messages do not go together, TemplateError from a template, BudgetExceeded
    when what must stay is too much.
    """
    maker = _Maker(assembled, form, ports)
    made = maker.make(Shifted(assembled, 0, (), True)) if budget is None else _within(maker, budget)
    gone = [(place, assembled.messages[place]) for place in made.shifted.gone]
    kept = made.shifted.assembled
    if gone:
        kept = kept.without_more([Excluded(message.id, message.origin, REASON) for _, message in gone])
    figures = maker.figures if segments and gone else None
    changes = [
        Change("dropped", assembled.place(place), message.origin, REASON, message.id, figures and figures(message))
        for place, message in gone
    ]
    if len(kept.messages) > len(assembled.messages) - len(gone):
        changes.append(Change("added", None, "block:summary", "summarize"))
    text = made.text
    if text is None:
        rendered = Rendered(kept, tokens=made.tokens)
        return Step(rendered, changes, _read_findings(kept), made.tokens)
    labelled, turns = text.labelled() if segments else (None, ())
    rendered = Rendered(kept, text.text, text.stops, labelled, turns, tokens=made.tokens, media=text.media())
    return Step(rendered, changes, text.findings(), made.tokens)


def render_whole(sources: Sources, form: CompiledFormat, ports: Ports) -> Rendered:
    """Return the render of a history that no stage changes and no budget limits; the same as `fit` gives for it."""
    assembled = Assembled(sources.history, sources.settings)
    text = text_of(assembled, form, ports)
    tokens = ports.counter.count_once(text.text) + text.result.media_tokens
    findings, media = tuple(text.findings()), text.media()
    return Rendered(assembled, text.text, text.stops, findings=findings, tokens=tokens, sources=sources, media=media)


class _Maker:
    """Renders and counts what is left of one assembly."""

    def __init__(self, assembled: Assembled, form: CompiledFormat | None, ports: Ports) -> None:
        self.assembled, self._form, self._ports = assembled, form, ports

    def make(self, shifted: Shifted) -> Made:
        """Return the render of what is left."""
        settings = shifted.assembled.settings
        counter = self._ports.counter
        if self._form is None:
            messages = shifted.assembled.messages
            return Made(shifted, None, array_tokens(messages, counter, settings.tools, settings.prefill))
        text = text_of(shifted.assembled, self._form, self._ports)
        return Made(shifted, text, counter.count_once(text.text) + text.result.media_tokens)

    def shifter(self, budget: Budget) -> Shifter:
        """Return what decides on sums what leaves."""
        return Shifter(self.assembled, self._costs(), budget)

    def figures(self, message: Message) -> dict[str, Any]:
        """Return what a message that left would have cost."""
        return {"tokens": self._costs().message(message)}

    def _costs(self) -> Costs:
        settings = self.assembled.settings
        return costs_for(self._form, self._ports.counter, settings.tools, settings.prefill)


def _within(maker: _Maker, budget: Budget) -> Made:
    """Return the first render that fits: all of it, else less and less."""
    shifter = maker.shifter(budget)
    available = budget.available
    if shifter.total <= max(available, 0) * NEAR:
        whole = maker.make(Shifted(maker.assembled, shifter.total, (), True))
        if whole.tokens <= available:
            return whole
    shifted = shifter.to(min(available, shifter.total - 1))
    for attempt in range(TRIES):
        made = maker.make(shifted)
        if made.tokens <= available:
            return _fuller(maker, shifter, made, available) if attempt == 0 else made
        if not shifted.has_more:
            break
        over = (made.tokens - available) << attempt
        shifted = shifter.to(min(shifted.cost - over, shifted.cost - 1))
    made = maker.make(shifter.to(-1 << 40))
    if made.tokens > available:
        raise BudgetExceeded(budget, made.tokens, _parts(maker, made, budget))
    return made


def _fuller(maker: _Maker, shifter: Shifter, made: Made, available: int) -> Made:
    """Return a render with what the sums took for too long, when it fits after all."""
    slack = available - made.tokens
    if slack <= 0 or not made.shifted.gone:
        return made
    shifted = shifter.to(made.shifted.cost + slack)
    if len(shifted.gone) >= len(made.shifted.gone):
        return made
    fuller = maker.make(shifted)
    return fuller if fuller.tokens <= available else made


def _parts(maker: _Maker, made: Made, budget: Budget) -> list[Part]:
    """Return what fills the prompt, by origin, largest first; the last part is what the format and tools add."""
    messages = made.shifted.assembled.messages
    costs = maker.shifter(budget)
    tokens: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    spent = 0
    by_message = {id(message): cost for message, cost in zip(maker.assembled.messages, costs.of_message, strict=True)}
    for message in messages:
        cost = by_message.get(id(message), 0)
        tokens[message.origin] += cost
        numbers[message.origin] += 1
        spent += cost
    parts = [Part(origin, cost, numbers[origin]) for origin, cost in tokens.most_common()]
    return [*parts, Part("format", max(0, made.tokens - spent), 0)]


def _read_findings(assembled: Assembled) -> list[Finding]:
    return [
        found
        for at, message in zip(assembled.places, assembled.messages, strict=True)
        for found in (message.findings(f"messages[{at}]") if message.notes else ())
    ]
