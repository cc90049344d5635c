"""`Rendered`: the text of a prompt at once; its segments and findings when somebody asks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from formats.prompt.findings import Finding
from formats.prompt.message import Message
from formats.prompt.segments import Segment, joined
from formats.prompt.special_tokens import token_findings

if TYPE_CHECKING:
    from formats.prompt.compiled import CompiledFormat
    from formats.prompt.hot import HotPath
    from formats.prompt.plan import Plan


class Rendered:
    """What `render` gives back."""

    __slots__ = ("_compiled", "_findings", "_segments", "text")

    text: str
    _compiled: CompiledFormat
    _segments: list[Segment] | None
    _findings: list[Finding] | None

    @property
    def stop_strings(self) -> list[str]:
        """The stop strings of the format."""
        return list(self._compiled.stop_strings)

    @property
    def segments(self) -> list[Segment]:
        """The text in labelled pieces; their join is `text`."""
        if self._segments is None:
            self._segments = self._labelled()
        return self._segments

    @property
    def findings(self) -> list[Finding]:
        """What the render has to tell."""
        if self._findings is None:
            self._findings = [*self._noted(), *token_findings(self.segments, self._compiled.tokens)]
        return self._findings

    def _labelled(self) -> list[Segment]:
        raise NotImplementedError

    def _noted(self) -> Iterable[Finding]:
        raise NotImplementedError


class PlannedRender(Rendered):
    """The result of the careful path, which is made of segments."""

    __slots__ = ("_plan",)

    def __init__(self, plan: Plan) -> None:
        self.text = joined(plan.segments)
        self._compiled, self._plan = plan.compiled, plan
        self._segments, self._findings = plan.segments, None

    def _noted(self) -> Iterable[Finding]:
        return self._plan.notes


class HotRender(Rendered):
    """The result of the hot path: a text, and what is needed to label it later."""

    __slots__ = ("_ending", "_hot", "_messages", "_prefill")

    def __init__(  # noqa: PLR0917  # positional arguments cost the hot path less
        self,
        text: str,
        compiled: CompiledFormat,
        hot: HotPath,
        messages: Sequence[Message],
        ending: str,
        prefill: str,
    ) -> None:
        self.text = text
        self._compiled, self._hot = compiled, hot
        # A copy: the caller may go on with the list before anybody asks for segments.
        self._messages = tuple(messages)
        self._ending, self._prefill = ending, prefill
        self._segments = self._findings = None

    def _labelled(self) -> list[Segment]:
        return self._hot.segments(self._messages, self._ending, self._prefill)

    def _noted(self) -> Iterable[Finding]:
        for index, message in enumerate(self._messages):
            yield from message.findings(f"messages[{index}]")
