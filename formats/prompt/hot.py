"""The hot path: a conversation of plain texts, in a format whose templates are literals around the content.

What stands between two contents depends on nothing but the two roles, so it is one string made beforehand: the end of
the one frame, EOS, separator, the start of the next. The table of such joints is an automaton over roles; a
conversation that asks for anything else falls off it (KeyError, or TypeError for a text that is None) and takes the
careful path of `formats.prompt.plan`, which gives the same bytes and labels for all that this one accepts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, repeat
from typing import Any, Final, NamedTuple

from formats.prompt.message import Message
from formats.prompt.segments import CONTENT, MARKUP, Kind, Segment, quick_segment

CLOSED: Final = "closed"
GENERATE: Final = "generate"
OPEN: Final = "open"

# Which turn a label belongs to: the one before the joint, the one after it, or none.
BEFORE: Final = -1
NEITHER: Final = 0
AFTER: Final = 1
Label = tuple[str, str, int]  # text, source, side

# The markup of a prompt depends on nothing but the roles, so it is kept for some sequences of them.
_KEPT_SEQUENCES: Final = 64
_KEPT_LENGTH: Final = 512


@dataclass(frozen=True, slots=True)
class Joint:
    """What stands between two contents, whole and in labelled parts."""

    text: str
    labels: tuple[Label, ...]
    is_merge: bool = False

    def segments(self, before: int, after: int) -> list[Segment]:
        """The labels as segments of the turns `before` and `after`."""
        places = {BEFORE: before, NEITHER: None, AFTER: after}
        return [Segment(text, MARKUP, source, places[side]) for text, source, side in self.labels]


class Skeleton(NamedTuple):
    """The markup of a prompt with gaps for the contents, and the place of every message's gap."""

    segments: list[Segment]
    places: list[int]
    regular: slice | None  # the places, when one step leads from each to the next, as in most conversations


_NUMBERS: Final = range(1 << 30)
_CONTENTS: Final[repeat[Kind]] = repeat(CONTENT)
_GAP: Final = Segment("", CONTENT, "", None)


def _no_skeletons() -> dict[str, dict[tuple[str, ...], Skeleton]]:
    return {ending: {} for ending in (CLOSED, GENERATE, OPEN)}


# role of the next message → what comes before its content, whether it is stripped, and the row after it
TextRow = dict[str, tuple[str, bool, Any]]
LabelRow = dict[str, tuple[Joint, Any]]


@dataclass(frozen=True, slots=True)
class HotPath:
    """The automaton of one format, for one `bos`."""

    texts: TextRow
    labels: LabelRow
    ends: Mapping[str, Mapping[str, Joint]]  # ending → role of the last message, "" when there is none
    end_texts: Mapping[str, Mapping[str, str]]
    merges: bool
    folds: str | None  # "first" or "last" when a leading system text goes into that user turn
    separator: str  # between a folded system text and the user's
    strips: frozenset[str]
    needs_text: frozenset[str] = frozenset()  # roles whose templates ask whether there is a content
    mark: str = ""  # what ends reasoning inside an assistant's content, which the careful path takes apart
    kept: dict[str, dict[tuple[str, ...], Skeleton]] = field(default_factory=_no_skeletons, repr=False)

    def parts(self, messages: Sequence[Message], ending: str) -> list[Any]:
        """Joint and content in turn, a leading system text that is folded left out, and what comes after the last.

        Raises KeyError when the conversation needs the careful path; a content may be None, which needs it too.
        """
        parts: list[Any] = []
        append, row, role = parts.append, self.texts, ""
        for message in messages:
            role = message.role
            joint, strip, row = row[role]
            append(joint)
            append(message.text.strip() if strip else message.text)  # type: ignore[union-attr]
        if ending == OPEN and parts:
            parts[-1] = messages[-1].text  # what is open is never stripped
        append(self.end_texts[ending][role])
        if self.needs_text or self.mark:
            self._check(messages)
        return parts

    def _check(self, messages: Sequence[Message]) -> None:
        for message in messages:
            text = message.text or ""
            if (message.role in self.needs_text and not text.strip()) or (self.mark and self.mark in text):
                raise KeyError(message.role)

    def folded(self, system: str | None, rest: Sequence[Message], parts: list[Any]) -> list[Any]:
        """The parts with a leading system text at the top of its user turn."""
        text = system and (system.strip() if "system" in self.strips else system)
        if not text:
            raise KeyError("system")
        whole = parts.copy()
        whole.insert(2 * self._target(rest) + 1, text + self.separator)
        return whole

    def _target(self, rest: Sequence[Message]) -> int:
        """Index of the message that the system text is put before; KeyError when there is no user turn."""
        order = range(len(rest)) if self.folds == "first" else range(len(rest) - 1, -1, -1)
        for at in order:
            if rest[at].role == "user":
                return self._start_of_run(rest, at)
        raise KeyError("user")

    def _start_of_run(self, rest: Sequence[Message], at: int) -> int:
        """The first message of the user turn that message `at` is merged into."""
        while self.merges and at and rest[at - 1].role == "user":
            at -= 1
        return at

    def segments(self, messages: Sequence[Message], parts: list[Any], ending: str, prefill: str) -> list[Segment]:
        """The labelled prompt of what `parts` accepted."""
        texts: list[str] = parts[1:-1:2]
        if len(texts) < len(messages):  # the system text that is to be folded
            system = messages[0].text or ""
            texts.insert(0, system.strip() if "system" in self.strips else system)
        skeleton = self._skeleton(messages, ending)
        out = skeleton.segments.copy()
        origins = [message.origin for message in messages]
        contents = map(quick_segment, zip(texts, _CONTENTS, origins, _NUMBERS))  # noqa: B905  # two have no end
        if skeleton.regular is not None:
            out[skeleton.regular] = contents
        else:
            for place, segment in zip(skeleton.places, contents):  # noqa: B905
                out[place] = segment
        if not all(texts):
            out = [segment for segment in out if segment.text]
        if prefill:
            out.append(Segment(prefill, CONTENT, "prefill", None))
        return out

    def _skeleton(self, messages: Sequence[Message], ending: str) -> Skeleton:
        kept = self.kept[ending]
        key = tuple([message.role for message in messages])
        skeleton = kept.get(key)
        if skeleton is None:
            skeleton = self._walk(messages, ending)
            if len(kept) >= _KEPT_SEQUENCES:
                kept.clear()
            if len(key) <= _KEPT_LENGTH:
                kept[key] = skeleton
        return skeleton

    def _walk(self, messages: Sequence[Message], ending: str) -> Skeleton:
        out: list[Segment] = []
        places: list[int] = []
        first = 1 if self.folds and messages and messages[0].role == "system" else 0
        target = self._target(messages[1:]) + 1 if first else -1
        row, role, owner = self.labels, "", first - 1
        for index in range(first, len(messages)):
            role = messages[index].role
            joint, row = row[role]
            out += joint.segments(owner, index)
            owner = owner if joint.is_merge else index
            if index == target:
                places.insert(0, len(out))
                out.append(_GAP)
                if self.separator:
                    out.append(Segment(self.separator, MARKUP, "mergeSeparator", None))
            places.append(len(out))
            out.append(_GAP)
        out += self.ends[ending][role].segments(owner, owner)
        return Skeleton(out, places, _regular(places))


def _regular(places: list[int]) -> slice | None:
    steps = {after - before for before, after in pairwise(places)}
    if len(steps) != 1 or min(steps) < 1:
        return None
    return slice(places[0], places[-1] + 1, steps.pop())
