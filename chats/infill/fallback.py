"""An engine that always answers: where meaning fails, keywords do the work, and a finding says why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from chats.infill.keyword.engine import KeywordEngine
from chats.infill.semantic.passes import NothingSaid
from chats.infill.semantic.ports import EmbedderFailed, VectorsMissing
from chats.infill.types import Candidate, Cost, Engine, EngineName, Options, Scene, Selection
from formats.prompt.findings import Finding, Severity

CODE: Final = "INFILL_FALLBACK"


class WithFallback:
    """Asks `engine`, and the keyword engine where that one can not answer."""

    def __init__(self, engine: Engine, options: Options, severity: Severity = "warning") -> None:
        self._engine, self._options, self._severity = engine, options, severity

    @property
    def name(self) -> EngineName:
        """The engine that is asked first."""
        return self._engine.name

    def select(
        self, scene: Scene, candidates: Sequence[Candidate], budget: int | None, cost: Cost | None = None
    ) -> Selection:
        """Return what is in; `Engine.select` says how."""
        try:
            return self._engine.select(scene, candidates, budget, cost)
        except NothingSaid:
            reason = "no message says anything yet"
        except (VectorsMissing, EmbedderFailed) as error:
            reason = str(error).rstrip(".")
        made = KeywordEngine(self._options).select(scene, candidates, budget, cost)
        return replace(made, asked=self.name, findings=(*made.findings, fell_back(self.name, reason, self._severity)))


class Unavailable:
    """The keyword engine in place of one that this server does not have."""

    def __init__(self, asked: EngineName, reason: str, options: Options) -> None:
        self.name: EngineName = "keyword"
        self._asked, self._reason, self._options = asked, reason, options

    def select(
        self, scene: Scene, candidates: Sequence[Candidate], budget: int | None, cost: Cost | None = None
    ) -> Selection:
        """Return what is in; `Engine.select` says how."""
        made = KeywordEngine(self._options).select(scene, candidates, budget, cost)
        return replace(made, asked=self._asked, findings=(*made.findings, fell_back(self._asked, self._reason)))


def fell_back(asked: EngineName, reason: str, severity: Severity = "warning") -> Finding:
    """Return the finding that keywords were used in place of `asked`."""
    way = "meaning" if asked == "vector" else "keywords and meaning"
    text = f"Infill by {way} was not possible: {reason}. Keywords chose."
    return Finding(severity, CODE, text, "infill", data={"asked": asked, "used": "keyword", "reason": reason})
