"""What each stage did: kept beside the result, so "why is this in my prompt" needs no second computation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from formats.prompt.findings import Finding

T = TypeVar("T")


class Change(NamedTuple):
    """One message that a stage touched. `message` counts the messages as given, with the user's input last.

    `data` has the figures behind the reason: which key matched, which score, budget, depth.
    """

    kind: Literal["added", "changed", "dropped"]
    message: int | None
    origin: str
    reason: str
    id: str | None = None
    data: Mapping[str, Any] | None = None

    def wire(self) -> dict[str, Any]:
        """Return the JSON form."""
        shown: dict[str, Any] = {
            "message": self.message,
            "id": self.id,
            "origin": self.origin,
            "reason": self.reason,
        }
        if self.data:
            shown["data"] = dict(self.data)
        return shown


class Step(NamedTuple, Generic[T]):
    """What a stage returns: the next value, what it changed, and what it has to say."""

    value: T
    changes: Sequence[Change] = ()
    findings: Sequence[Finding] = ()
    tokens: int | None = None


class StageRecord(NamedTuple):
    """One line of the trace."""

    stage: str
    changes: tuple[Change, ...]
    tokens: int | None
    ms: float

    def wire(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "stage": self.stage,
            "added": self._of("added"),
            "changed": self._of("changed"),
            "dropped": self._of("dropped"),
            "tokens": self.tokens,
            "ms": round(self.ms, 3),
        }

    def _of(self, kind: str) -> list[dict[str, Any]]:
        return [change.wire() for change in self.changes if change.kind == kind]
