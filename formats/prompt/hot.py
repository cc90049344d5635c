"""The hot path: a conversation of plain texts, in a format whose templates are literals around the content.

What stands between two contents depends on nothing but the two roles, so it is one string made beforehand: the end of
the one frame, EOS, separator, the start of the next. The table of such joints is an automaton over roles; a
conversation that asks for anything else falls off it (KeyError or TypeError) and takes the careful path of
`formats.prompt.plan`, which gives the same bytes and labels for all that this one accepts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from formats.prompt.message import Message
from formats.prompt.segments import Segment

if TYPE_CHECKING:
    pass

CLOSED: Final = "closed"
GENERATE: Final = "generate"
OPEN: Final = "open"

# text, source, and whether it belongs to the turn before (-1), the turn after (+1) or to none (0)
Label = tuple[str, str, int]
_PREVIOUS, _NONE, _NEXT = -1, 0, 1


@dataclass(frozen=True, slots=True)
class Joint:
    """What stands between two contents, whole and in labelled parts."""

    text: str
    labels: tuple[Label, ...]
    is_merge: bool = False


# role → (text, strip the content?, the row of the next message)
Row = dict[str, tuple[str, bool, Any]]


@dataclass(frozen=True, slots=True)
class HotPath:
    """The automaton of one format for one `bos` and one generation prompt."""

    joints: Mapping[tuple[str, str], Joint]  # (role before, role after); "" is the start
    ends: Mapping[tuple[str, str], Joint]  # (role, CLOSED | GENERATE | OPEN)
    start: Row
    merges: bool
    folds: str | None  # "first" or "last" when a leading system text goes into a user turn
    separator: str  # between a folded system text and the user's
    strips: frozenset[str]  # roles whose content is stripped

    def text(self, messages: Sequence[Message], ending: str, prefill: str) -> str | None:
        """The prompt; None when the careful path is needed."""
        folded = None
        if self.folds and messages and messages[0].role == "system":
            folded, messages = messages[0].text, messages[1:]
            if folded is None or not messages:
                return None
        parts: list[Any] = []
        append, row, role = parts.append, self.start, ""
        try:
            for message in messages:
                role = message.role
                joint, strip, row = row[role]
                append(joint)
                append(message.text.strip() if strip else message.text)  # type: ignore[union-attr]
            append(self.ends[role, ending].text)
            if ending == OPEN:
                parts[-2] = messages[-1].text  # what is open is never trimmed
            if folded is not None:
                self._fold(parts, messages, folded)
            append(prefill)
            return "".join(parts)
        except (KeyError, TypeError, AttributeError):
            return None

    def _fold(self, parts: list[Any], messages: Sequence[Message], system: str) -> None:
        at = 2 * self._target(messages) + 1
        text = system.strip() if "system" in self.strips else system
        if text:
            parts[at] = text + self.separator + parts[at]

    def _target(self, messages: Sequence[Message]) -> int:
        """Index of the message that the system text is put before; KeyError when there is no user turn."""
        order = range(len(messages)) if self.folds == "first" else range(len(messages) - 1, -1, -1)
        at = next((index for index in order if messages[index].role == "user"), None)
        if at is None:
            raise KeyError("user")
        while self.merges and at and messages[at - 1].role == "user":
            at -= 1
        return at

    def _label_folded(self, out: list[Segment], system: Message) -> None:
        text = system.text or ""
        text = text.strip() if "system" in self.strips else text
        if text:
            out.append(Segment(text, "content", system.origin, 0))
        if text and self.separator:
            out.append(Segment(self.separator, "markup", "mergeSeparator", None))

    def segments(self, messages: Sequence[Message], ending: str, prefill: str) -> list[Segment]:
        """The same prompt, labelled. Only for what `text` accepted."""
        offset = 1 if self.folds and messages and messages[0].role == "system" else 0
        target = self._target(messages[1:]) + 1 if offset else -1
        out: list[Segment] = []
        role, owner = "", 0
        last = len(messages) - 1
        for index in range(offset, len(messages)):
            message = messages[index]
            joint = self.joints[role, message.role]
            role = message.role
            _label(out, joint, owner, index)
            owner = owner if joint.is_merge else index
            if index == target:
                self._label_folded(out, messages[0])
            text = message.text or ""
            if role in self.strips and not (ending == OPEN and index == last):
                text = text.strip()
            if text:
                out.append(Segment(text, "content", message.origin, index))
        _label(out, self.ends[role, ending], owner, owner)
        if prefill:
            out.append(Segment(prefill, "content", "prefill", None))
        return out


def _label(out: list[Segment], joint: Joint, before: int, after: int) -> None:
    for text, source, side in joint.labels:
        out.append(Segment(text, "markup", source, None if side == _NONE else before if side == _PREVIOUS else after))
