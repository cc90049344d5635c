"""Runs the stages in order. A new stage is one file in `stages/` and one line here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from chats.pipeline.counting import costs_for
from chats.pipeline.interceptors import Interceptor
from chats.pipeline.ports import Ports
from chats.pipeline.sources import Assembled, Rendered, Sources
from chats.pipeline.stages.assemble import assemble_blocks
from chats.pipeline.stages.assemble_context import assemble_context
from chats.pipeline.stages.fit import fit, render_whole
from chats.pipeline.stages.intercept import intercept
from chats.pipeline.stages.lore import activate_lore
from chats.pipeline.stages.macros import expand_macros, has_macros
from chats.pipeline.stages.memory import rank_memories
from chats.pipeline.stages.shift import shift_first
from chats.pipeline.stages.user_input import append_user_input
from chats.pipeline.trace import StageRecord, Step
from formats.prompt.compiled import CompiledFormat
from formats.prompt.findings import Finding

T = TypeVar("T")
SourceStage = Callable[[Sources, Ports], Step[Sources]]

SOURCE_STAGES: Final[tuple[tuple[str, SourceStage], ...]] = (
    ("userInput", append_user_input),
    ("macros", expand_macros),
    ("lore", activate_lore),
    ("memory", rank_memories),
)
"""Stages that change what the prompt is made of, in order: each takes and returns Sources."""


class _Log:
    """Collects what the stages say while one render runs; without a trace, what they find alone."""

    def __init__(self, ports: Ports, *, trace: bool) -> None:
        self._is_traced, self._timer = trace, ports.timer
        self._since = ports.timer()
        self.records: list[StageRecord] = []
        self.findings: list[Finding] = []

    def note(self, stage: str, step: Step[T]) -> T:
        """Write down what `stage` did and return its value."""
        self.findings.extend(step.findings)
        if self._is_traced:
            now = self._timer()
            self.records.append(StageRecord(stage, tuple(step.changes), step.tokens, now - self._since))
            self._since = now
        return step.value


def run(
    sources: Sources,
    form: CompiledFormat | None,
    ports: Ports,
    *,
    segments: bool = False,
    interceptors: Sequence[Interceptor] = (),
    trace: bool = True,
) -> Rendered:
    """Return `sources` as messages and, with a format, as text; `segments` asks for labelled pieces too.

    Without `trace` nothing is written down of the stages, and those that would change nothing are passed over.

    Raises PromptError or TemplateError when messages, settings and format do not go together, BudgetExceeded when what
    must stay is more than the budget.
    """
    if form is not None and not (trace or segments or interceptors) and is_bare(sources):
        return render_whole(sources, form, ports)
    log = _Log(ports, trace=trace)
    for name, stage in SOURCE_STAGES:
        sources = log.note(name, stage(sources, ports))
    assembled = log.note("assemble", _assembled(sources, form, ports))
    if interceptors:
        if sources.budget is not None:
            assembled = log.note("shift", shift_first(assembled, form, ports, sources.budget))
        assembled = log.note("interceptors", intercept(assembled, interceptors))
    rendered = log.note("fit", fit(assembled, form, ports, budget=sources.budget, segments=segments))
    return replace(rendered, sources=sources, findings=tuple(log.findings), trace=tuple(log.records))


def is_bare(sources: Sources) -> bool:
    """Whether every stage before the last one would give back what it was given, as for most requests of programs."""
    return (
        sources.generation_type == "normal"
        and sources.budget is None
        and not (sources.user_input or sources.has_blocks or sources.settings.continue_final_message)
        and None not in [message.text for message in sources.history]
        and not (sources.macros and has_macros(sources))
    )


def _assembled(sources: Sources, form: CompiledFormat | None, ports: Ports) -> Step[Assembled]:
    if sources.context is None:
        step = assemble_blocks(sources, ports)
    else:
        step = assemble_context(sources, sources.context, form, ports)
    if not sources.with_figures:
        return step
    costs = costs_for(form, ports.counter, sources.settings.tools, sources.settings.prefill)
    return step._replace(tokens=costs.fixed + sum(costs.all(step.value.messages)))
