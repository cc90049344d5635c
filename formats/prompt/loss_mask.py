"""Which characters of a prompt a model is trained on: what it would have written itself.

A stretch begins where the generation prompt ends: the assistant's opening markup is given, what follows it is learned,
tool calls and reasoning included. It ends after the token that closes the turn, so that the model learns to stop; a
line break behind that token is layout and is left out. The meaning is that of the `generation` tag of chat templates
and of TRL's `assistant_only_loss`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from formats.prompt.compiled import CompiledFormat
from formats.prompt.jinja_segments import SOURCE as CHAT_TEMPLATE
from formats.prompt.segments import CONTENT, Segment

Turns = Literal["all", "last"]
ASSISTANT: Final = "assistant"
JOINT: Final = "mergeSeparator"


class Stretch(NamedTuple):
    """Code points from `start` to `end`, `end` excluded."""

    start: int
    end: int


class LossMarks(NamedTuple):
    """What of a format opens and closes an assistant's turn."""

    openings: tuple[str, ...]
    closers: tuple[str, ...]
    ends: tuple[str, ...] = ()
    """Those of them that only end a reply: what a chat template prints between two contents holds others too."""

    @classmethod
    def of(cls, compiled: CompiledFormat) -> LossMarks:
        """Return the generation prompts, and every token or stop string that may end a turn, longest first."""
        form = compiled.format
        openings = {form.prompt_suffix, *form.prompt_suffix_variants.values()}
        closers = {*compiled.tokens, *form.stop_strings} - {""}
        meant = {one.token for one in form.special_tokens if not isinstance(one, str) and one.meaning == "eos"}
        ends = {form.eos, *form.stop_strings, *meant} - {""}
        return cls(tuple(sorted(openings, key=len)), _longest_first(closers), _longest_first(ends))


def _longest_first(tokens: set[str]) -> tuple[str, ...]:
    return tuple(sorted(tokens, key=lambda token: (-len(token), token)))


def loss_stretches(
    segments: Sequence[Segment], roles: Mapping[int, str], marks: LossMarks, turns: Turns = "all"
) -> list[Stretch]:
    """Return the stretches to train on, in order: every assistant turn, or the last one alone.

    `roles` are those of the messages by their places in `Segment.message_index`.
    """
    found = [_trained(run, at, marks, behind) for run, at, behind in _runs(segments, roles)]
    full = [stretch for stretch in found if stretch.start < stretch.end]
    return full[-1:] if turns == "last" else full


def _runs(segments: Sequence[Segment], roles: Mapping[int, str]) -> Iterator[tuple[list[Segment], int, str]]:
    """Yield the segments of each assistant turn, the position of the first, and what a chat template prints behind."""
    run: list[Segment] = []
    start = position = 0
    for segment in segments:
        if _belongs(segment, run, roles):
            if not run:
                start = position
            run.append(segment)
        elif run:
            yield run, start, segment.text if segment.source == CHAT_TEMPLATE else ""
            run = []
        position += len(segment.text)
    if run:
        yield run, start, ""


def _belongs(segment: Segment, run: list[Segment], roles: Mapping[int, str]) -> bool:
    index = segment.message_index
    if index is None:
        # merged messages are one turn, and what joins them is written by the model too
        return bool(run) and segment.source == JOINT
    if roles.get(index) != ASSISTANT:
        return False
    # two turns that follow each other are two: each has its own opening
    return not run or run[-1].message_index == index or run[-1].message_index is None


def _trained(run: Sequence[Segment], at: int, marks: LossMarks, behind: str) -> Stretch:
    text = "".join(segment.text for segment in run)
    first, last = _content(run)
    start = _opening(text[:first], marks.openings)
    end = max(last, start)
    if behind:
        return Stretch(at + start, at + _closing(text + behind, len(text), marks.ends))
    return Stretch(at + start, at + _closing(text, end, marks.closers))


def _content(run: Sequence[Segment]) -> tuple[int, int]:
    """Return where the first content begins and the last one ends; all is opening where there is no content."""
    position, first, last = 0, -1, -1
    for segment in run:
        end = position + len(segment.text)
        if segment.kind == CONTENT and segment.text:
            first, last = (position if first < 0 else first), end
        position = end
    return (position, 0) if first < 0 else (first, last)


def _opening(markup: str, openings: Sequence[str]) -> int:
    """Return how much of the opening markup the generation prompt gives."""
    return max((_shared(markup, opening) for opening in openings), default=0)


def _shared(one: str, other: str) -> int:
    """Return the number of characters with which both begin."""
    pairs = zip(one, other, strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _closing(text: str, after: int, closers: Sequence[str]) -> int:
    """Return the end of the first closing token at or behind `after`; without one, `after`."""
    places = [(text.find(token, after), -len(token)) for token in closers]
    hits = sorted(place for place in places if place[0] >= 0)
    return hits[0][0] - hits[0][1] if hits else after
