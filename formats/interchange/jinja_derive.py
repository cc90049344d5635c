"""A layout worked out from what a chat template prints: what stands before and after each role's text.

Plain layouts come out: a frame a role, BOS, a default system text, where a system text goes, which contents are
trimmed, a last turn that closes otherwise. What comes out is tried on every probe, and only what prints the same is
offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

from formats.interchange.likeness import carrying, compare, prints
from formats.interchange.reading import Document
from formats.interchange.wording import framed
from formats.prompt import FormatError, InstructFormat, Message, PromptError, import_instruct_format

# Unlike any markup and unlike each other.
_S, _U, _A, _V, _T = "Sorrel ridge", "Umber field", "Amber stone", "Violet lake", "Teal harbour"
_ROLES: Final = {_S: "system", _U: "user", _A: "assistant", _V: "user", _T: "tool"}
_HEAD: Final[Document] = {"kind": "instruct-format", "version": 2, "id": "layout", "name": "Layout"}


def derived(source: str, bos: str, eos: str) -> Document | None:
    """The fields of a layout that prints what the template prints, and how many conversations were `tried`.

    None when no plain layout does. Raises FormatError for a template that is no Jinja.
    """
    fmt = carrying(source, bos, eos)
    theirs = None
    for candidate in _candidates(fmt, bos):
        try:
            made = import_instruct_format(_HEAD | candidate)
        except FormatError:
            continue
        theirs = theirs or prints(fmt)
        likeness = compare("layout", theirs, prints(made))
        if likeness.is_same:
            return candidate | {"tried": likeness.tried}
    return None


class _Texts:
    """What the template makes of the needles, and the stretches between them."""

    def __init__(self, fmt: InstructFormat) -> None:
        self._fmt = fmt

    def render(self, *needles: str, generate: bool = False) -> str | None:
        """The prompt of a conversation of needles; None where the template refuses."""
        messages = [Message(_ROLES[needle.strip()], needle) for needle in needles]
        try:
            return self._fmt.compiled.render(
                messages, add_generation_prompt=generate, options={"now": "2026-01-15T12:00:00+00:00"}
            ).text
        except PromptError:
            return None

    def between(self, *needles: str, generate: bool = False) -> list[str] | None:
        """The stretches before, between and after the needles; None unless each stands there once, in this order."""
        text = self.render(*needles, generate=generate)
        if text is None or any(text.count(needle) != 1 for needle in needles):
            return None
        stretches = []
        for needle in needles:
            before, found, text = text.partition(needle)
            if not found:
                return None
            stretches.append(before)
        return [*stretches, text]


def _candidates(fmt: InstructFormat, bos: str) -> Iterator[Document]:
    texts = _Texts(fmt)
    turns = texts.between(_U, _A, _V)
    asked = texts.between(_U, _A, _V, generate=True)
    closed = texts.between(_U, _A)
    if turns is None or asked is None or closed is None or not turns[1].startswith(turns[3]):
        return
    for open_user in _openings(turns[0], turns[2], bos):
        head = turns[0].removesuffix(open_user)
        close_user, close_reply = turns[3], turns[2].removesuffix(open_user)
        open_reply = turns[1].removeprefix(close_user)
        frames: Document = {
            "user": framed(open_user, close_user),
            "assistant": framed(open_reply, close_reply),
            "promptSuffix": asked[3].removeprefix(close_user),
            "trim": dict(_trims(texts)),
            "alternation": "error" if texts.render(_U, _V) is None else "none",
        }
        if closed[2] != close_reply:
            frames["variants"] = {"lastAssistantClosed": framed(open_reply, closed[2])}
        tool = _tool(texts, open_user, close_reply) or frames["user"]
        for system, later in product(_systems(texts, head, open_user, bos), _later(texts)):
            made = frames | {"tool": tool} | system
            yield made | {"systemPolicy": {**system["systemPolicy"], "later": later}}


def _openings(first: str, second: str, bos: str) -> Iterator[str]:
    """What may open a user's turn: it ends both what precedes the first one and what precedes a later one."""
    rest = first.removeprefix(bos)
    if rest and second.endswith(rest):
        yield rest
    common = _common_end(first, second)
    if common and common != rest:
        yield common


def _common_end(first: str, second: str) -> str:
    count = 0
    while count < min(len(first), len(second)) and first[-count - 1] == second[-count - 1]:
        count += 1
    return first[len(first) - count :]


def _systems(texts: _Texts, head: str, open_user: str, bos: str) -> Iterator[Document]:
    """Where the system text goes, and what is printed before everything."""
    whole = texts.between(_S, _U, _A, _V)
    if whole is None:
        folded = texts.render(_S, _U, _A, _V)
        if folded is not None and folded.find(_A) < folded.find(_S) < folded.find(_V):
            separator = folded.partition(_S)[2].partition(_V)[0]
            yield _start(head, bos) | _folding("fold_last_user", separator)
        elif folded is None:
            yield _start(head, bos) | {"system": framed("", ""), "systemPolicy": {"first": "error"}}
        return
    before, behind = whole[0], whole[1]
    if before == head + open_user:
        yield _start(head, bos) | _folding("fold_first_user", behind)
    if not behind.endswith(open_user):
        return
    close = behind.removesuffix(open_user)
    policy: Document = {"systemPolicy": {"first": "block"}}
    if before.startswith(head):
        yield _start(head, bos) | policy | {"system": framed(before.removeprefix(head), close)}
    if head.startswith(before) and head.endswith(close) and len(head) > len(before) + len(close):
        default = head[len(before) : len(head) - len(close)]
        opening = before.removeprefix(bos)
        start = _start(before.removesuffix(opening), bos)
        yield start | policy | {"system": framed(opening, close), "defaultSystem": default}


def _start(head: str, bos: str) -> Document:
    return {"bos": bos} if head and head == bos else {"prefix": head}


def _folding(first: str, separator: str) -> Document:
    return {"system": framed("", ""), "mergeSeparator": separator, "systemPolicy": {"first": first}}


def _later(texts: _Texts) -> list[str]:
    """What may become of a system text inside the conversation."""
    return ["error"] if texts.render(_U, _A, _S, _V) is None else ["block", "as_user", "merge_first"]


def _tool(texts: _Texts, open_user: str, close_reply: str) -> str | None:
    turns = texts.between(_U, _A, _T, _V)
    if turns is None or not turns[2].startswith(close_reply) or not turns[3].endswith(open_user):
        return None
    return framed(turns[2].removeprefix(close_reply), turns[3].removesuffix(open_user))


def _trims(texts: _Texts) -> Iterator[tuple[str, Any]]:
    padded = [f"  {needle}  " for needle in (_S, _U, _A, _V)]
    text = texts.render(*padded) or texts.render(*padded[1:])
    if text is not None:
        for needle in (_S, _U, _A):
            if needle in text and f"  {needle}" not in text:
                yield _ROLES[needle], True
