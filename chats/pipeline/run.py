"""Runs the stages in order. A new stage is one file in `stages/` and one line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from chats.pipeline.ports import Ports
from chats.pipeline.sources import Rendered, Sources
from chats.pipeline.stages.assemble import assemble_blocks
from chats.pipeline.stages.fit import fit
from chats.pipeline.stages.macros import leave_macros
from chats.pipeline.stages.user_input import append_user_input
from chats.pipeline.trace import StageRecord, Step
from formats.prompt.compiled import CompiledFormat
from formats.prompt.findings import Finding

T = TypeVar("T")
SourceStage = Callable[[Sources, Ports], Step[Sources]]

SOURCE_STAGES: Final[tuple[tuple[str, SourceStage], ...]] = (
    ("userInput", append_user_input),
    ("macros", leave_macros),
)
"""Stages that change what the prompt is made of, in order: each takes and returns Sources."""


class _Log:
    """Collects what the stages say while one render runs."""

    def __init__(self, ports: Ports) -> None:
        self._timer = ports.timer
        self._since = ports.timer()
        self.records: list[StageRecord] = []
        self.findings: list[Finding] = []

    def note(self, stage: str, step: Step[T], tokens: int | None = None) -> T:
        """Write down what `stage` did and return its value."""
        now = self._timer()
        self.records.append(StageRecord(stage, tuple(step.changes), tokens, now - self._since))
        self.findings.extend(step.findings)
        self._since = now
        return step.value


def run(sources: Sources, form: CompiledFormat | None, ports: Ports, *, segments: bool = False) -> Rendered:
    """Return `sources` as messages and, with a format, as text; `segments` asks for labelled pieces too.

    Raises PromptError or TemplateError when messages, settings and format do not go together.
    """
    log = _Log(ports)
    for name, stage in SOURCE_STAGES:
        sources = log.note(name, stage(sources, ports))
    assembled = log.note("assemble", assemble_blocks(sources, ports))
    rendered = log.note("fit", fit(assembled, form, ports, segments=segments))
    return replace(rendered, findings=tuple(log.findings), trace=tuple(log.records))
