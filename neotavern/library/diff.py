"""Differences of two texts by word, and of two documents by path. Pure; whitespace counts, since models see it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal

from neotavern.library.edits import Opcode, opcodes

Op = Literal["equal", "insert", "delete"]

MAX_PAIRED_LINES = 1_000
"""Lines of one changed passage whose words are compared side by side; in a longer passage only lines are."""

CONTEXT_LINES = 3

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
"""Only \\n ends a line: a carriage return is a character that a model sees."""

_WORD = re.compile(r"\w+|[^\S\n]+|\n|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text and what happened to it."""

    op: Op
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a side-by-side view; None where a side has no such line. Numbers are from 1."""

    left_number: int | None
    left: tuple[Span, ...]
    right_number: int | None
    right: tuple[Span, ...]

    @property
    def is_equal(self) -> bool:
        """True for a line that both sides share."""
        return self.left_number is not None and self.left == self.right


@dataclass(frozen=True, slots=True)
class Change:
    """What differs at one path of a document; None is "not there"."""

    path: str
    kind: Literal["added", "removed", "changed"]
    before: Any
    after: Any

    @property
    def is_text(self) -> bool:
        """True when both sides are text, so that words can be compared."""
        return isinstance(self.before, str) and isinstance(self.after, str)


def words(before: str, after: str) -> list[Span]:
    """Return the spans that turn `before` into `after`.

    Joined without inserts they are `before`, without deletes `after`. Lines are compared first, words inside those that
    differ.
    """
    spans: list[Span] = []
    left, right = _LINE.findall(before), _LINE.findall(after)
    for op, a0, a1, b0, b1 in opcodes(left, right):
        if op == "equal":
            spans.append(Span("equal", "".join(left[a0:a1])))
        else:
            spans.extend(_inner("".join(left[a0:a1]), "".join(right[b0:b1])))
    return _merged(spans)


def _inner(before: str, after: str) -> Iterator[Span]:
    left, right = _WORD.findall(before), _WORD.findall(after)
    for op, a0, a1, b0, b1 in opcodes(left, right):
        if op == "equal":
            yield Span("equal", "".join(left[a0:a1]))
            continue
        yield Span("delete", "".join(left[a0:a1]))
        yield Span("insert", "".join(right[b0:b1]))


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in spans:
        if not span.text:
            continue
        if merged and merged[-1].op == span.op:
            merged[-1] = Span(span.op, merged[-1].text + span.text)
        else:
            merged.append(span)
    return merged


def side_by_side(before: str, after: str) -> list[Row]:
    """Return the rows of a two-column view: equal lines face each other, changed ones with their words marked."""
    rows: list[Row] = []
    left, right = before.split("\n"), after.split("\n")
    for op, a0, a1, b0, b1 in opcodes(left, right):
        if max(a1 - a0, b1 - b0) > MAX_PAIRED_LINES and op == "replace":
            pairs = [*((a, None) for a in range(a0, a1)), *((None, b) for b in range(b0, b1))]
        else:
            pairs = list(zip_longest(range(a0, a1), range(b0, b1)))
        rows.extend(_row(left, right, a, b, equal=op == "equal") for a, b in pairs)
    return rows


def _row(left: list[str], right: list[str], a: int | None, b: int | None, *, equal: bool) -> Row:
    if equal or a is None or b is None:
        op_left, op_right = ("equal", "equal") if equal else ("delete", "insert")
        return Row(
            None if a is None else a + 1,
            () if a is None else (Span(op_left, left[a]),),  # type: ignore[arg-type]
            None if b is None else b + 1,
            () if b is None else (Span(op_right, right[b]),),  # type: ignore[arg-type]
        )
    spans = words(left[a], right[b])
    return Row(
        a + 1,
        tuple(span for span in spans if span.op != "insert"),
        b + 1,
        tuple(span for span in spans if span.op != "delete"),
    )


def unified(before: str, after: str, *, before_name: str = "before", after_name: str = "after") -> str:
    """Return a unified diff with three lines of context; a missing newline at the end is said as diff says it."""
    left, right = _LINE.findall(before), _LINE.findall(after)
    hunks = _hunks(opcodes(left, right))
    if not hunks:
        return ""
    text = [f"--- {before_name}\n+++ {after_name}\n"]
    for hunk in hunks:
        a0, a1, b0, b1 = hunk[0][1], hunk[-1][2], hunk[0][3], hunk[-1][4]
        text.append(f"@@ -{_range(a0, a1)} +{_range(b0, b1)} @@\n")
        for op, i0, i1, j0, j1 in hunk:
            if op == "equal":
                text.extend(_marked(" ", left[i0:i1]))
            else:
                text.extend([*_marked("-", left[i0:i1]), *_marked("+", right[j0:j1])])
    return "".join(text)


def _hunks(codes: list[Opcode]) -> list[list[Opcode]]:
    """Group the replacements with the equal lines around them, three at most on each side."""
    hunks: list[list[Opcode]] = []
    for index, code in enumerate(codes):
        op, a0, a1, b0, b1 = code
        if op == "replace":
            hunks[-1].append(code) if hunks and hunks[-1][-1][2] == a0 else hunks.append([code])
            continue
        is_last = index == len(codes) - 1
        if index and not is_last and a1 - a0 <= 2 * CONTEXT_LINES:
            hunks[-1].append(code)
            continue
        if index:
            shown = min(CONTEXT_LINES, a1 - a0)
            hunks[-1].append(("equal", a0, a0 + shown, b0, b0 + shown))
        if not is_last:
            shown = min(CONTEXT_LINES, a1 - a0)
            hunks.append([("equal", a1 - shown, a1, b1 - shown, b1)])
    return hunks


def _range(start: int, end: int) -> str:
    length = end - start
    first = start + 1 if length else start
    return str(first) if length == 1 else f"{first},{length}"


def _marked(mark: str, lines: list[str]) -> list[str]:
    return [mark + (line if line.endswith("\n") else line + "\n\\ No newline at end of file\n") for line in lines]


def documents(before: Any, after: Any) -> list[Change]:
    """Return the changes between two JSON documents, in the order of the new one, then what was removed."""
    return list(_changes(before, after, ""))


def _changes(before: Any, after: Any, path: str) -> Iterator[Change]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*after, *(key for key in before if key not in after)]:
            yield from _member(before, after, key, f"{path}.{key}" if path else str(key))
    elif isinstance(before, list) and isinstance(after, list) and _holds_objects(before + after):
        for index in range(max(len(before), len(after))):
            yield from _member(dict(enumerate(before)), dict(enumerate(after)), index, f"{path}[{index}]")
    elif type(before) is not type(after) or before != after:
        yield Change(path, "changed", before, after)


def _holds_objects(items: list[Any]) -> bool:
    """Lists of plain values change as a whole: a stop string moved up is one change, not ten."""
    return any(isinstance(item, dict | list) for item in items)


def _member(before: dict[Any, Any], after: dict[Any, Any], key: Any, path: str) -> Iterator[Change]:
    if key not in before:
        yield Change(path, "added", None, after[key])
    elif key not in after:
        yield Change(path, "removed", before[key], None)
    else:
        yield from _changes(before[key], after[key], path)
