"""`Rendered`: the text of a prompt at once; its segments and findings when somebody asks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from formats.prompt.findings import Finding
from formats.prompt.lost_names import lost_names
from formats.prompt.message import Message
from formats.prompt.segments import Segment, joined
from formats.prompt.special_tokens import token_findings

if TYPE_CHECKING:
    from formats.prompt.compiled import CompiledFormat
    from formats.prompt.hot import HotPath
    from formats.prompt.plan import Plan

# The path, the messages, joints and contents in turn, how the prompt ends, and the prefill.
HotCall = tuple["HotPath", tuple[Message, ...], list[Any], str, str]


class Rendered:
    """What `render` gives back."""

    __slots__ = ("_compiled", "_found", "_made", "text")

    text: str
    _compiled: CompiledFormat
    _made: list[Segment] | None
    _found: list[Finding] | None

    @property
    def stop_strings(self) -> list[str]:
        """The stop strings of the format."""
        return list(self._compiled.stop_strings)

    @property
    def media(self) -> list[dict[str, Any]]:
        """Images, videos and sounds in the order of the text: `type`, `path`, `tokens`, `approximate`."""
        return []

    @property
    def media_tokens(self) -> int:
        """What the media take beside their placeholders, as far as it is known."""
        return 0

    @property
    def segments(self) -> list[Segment]:
        """The text in labelled pieces; their join is `text`."""
        if self._made is None:
            self._made = self._labelled()
        return self._made

    @property
    def findings(self) -> list[Finding]:
        """What the render has to tell."""
        if self._found is None:
            self._found = [*self._noted(), *self._token_findings()]
        return self._found

    def _token_findings(self) -> Iterable[Finding]:
        return token_findings(self.segments, self._compiled.tokens)

    def _labelled(self) -> list[Segment]:
        raise NotImplementedError

    def _noted(self) -> Iterable[Finding]:
        raise NotImplementedError


class PlannedRender(Rendered):
    """The result of the careful path, which is made of segments."""

    __slots__ = ("_media", "_notes")

    def __init__(self, plan: Plan) -> None:
        self.text = joined(plan.segments)
        self._compiled = plan.compiled
        self._notes, self._media = plan.notes, plan.media
        self._made, self._found = plan.segments, None

    @property
    def media(self) -> list[dict[str, Any]]:
        """See `Rendered.media`."""
        return [dict(one) for one in self._media]

    @property
    def media_tokens(self) -> int:
        """See `Rendered.media_tokens`."""
        return sum(one["tokens"] or 0 for one in self._media)

    def _noted(self) -> Iterable[Finding]:
        return self._notes


class HotRender(Rendered):
    """The result of the hot path: a text, and what is needed to label it later."""

    __slots__ = ("_call",)

    def __init__(self, text: str, compiled: CompiledFormat, call: HotCall) -> None:
        self.text = text
        self._compiled = compiled
        self._call = call
        self._made = self._found = None

    def _labelled(self) -> list[Segment]:
        hot, messages, parts, ending, prefill = self._call
        return hot.segments(messages, parts, ending, prefill)

    def _noted(self) -> Iterable[Finding]:
        for index, message in enumerate(self._call[1]):
            if message.notes:
                yield from message.findings(f"messages[{index}]")
        if self._compiled.drops_names:
            yield from lost_names(self._call[1])

    def _token_findings(self) -> Iterable[Finding]:
        # A token that stands in content, or that content and markup make together, is one more than the markup has.
        # Counting is far cheaper than the labelled scan, and tokens in content are rare.
        if self._has_no_edges():
            return ()
        markup, text = "\n".join(self._call[2][::2]), self.text
        if all(text.count(token) == markup.count(token) for token in self._compiled.tokens):
            return ()
        return super()._token_findings()

    def _has_no_edges(self) -> bool:
        """Whether contents can have no part in a token: none has a character that one begins or ends with.

        A content shorter than a token could stand in the middle of one, and what `parts` leaves out is not looked at.
        """
        _, messages, parts, _, prefill = self._call
        contents = parts[1:-1:2]
        if prefill or not contents or len(contents) != len(messages):
            return False
        edges, longest = _edges(tuple(self._compiled.tokens))
        if min(map(len, contents)) < longest:
            return False
        text = "".join(contents)
        return not any(edge in text for edge in edges)


@lru_cache(maxsize=512)
def _edges(tokens: tuple[str, ...]) -> tuple[str, int]:
    """Return the characters that tokens begin and end with, and the length of the longest."""
    characters = {token[0] for token in tokens} | {token[-1] for token in tokens}
    return "".join(sorted(characters)), max(map(len, tokens), default=0)
