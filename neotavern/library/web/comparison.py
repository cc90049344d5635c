"""Two documents of one object, path by path, as a page shows them; and as one unified text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from neotavern.library import diff, selectors
from neotavern.library.diff import Change
from neotavern.library.models import Item, Revision
from neotavern.library.web.marks import Stretch, side_by_side

MOST_CHANGES = 200
"""Paths that one page shows; past it the page says how many more there are."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One path that differs."""

    path: str
    kind: str
    stretches: list[Stretch]


@dataclass(frozen=True, slots=True)
class UnifiedLine:
    """A line of a unified diff and what it is: `add`, `del`, `at`, `name` or nothing."""

    text: str
    sort: str


def changes_of(item: Item, older: Revision, newer: Revision) -> list[Change]:
    """Return what differs between two revisions, what stands in rows beside the document included."""
    before, after = (selectors.former_document(item, one) for one in (older, newer))
    return diff.documents(before, after)


def shown(changes: list[Change]) -> list[Compared]:
    """Return changes as facing lines."""
    return [Compared(one.path, one.kind, _stretches(one)) for one in changes[:MOST_CHANGES]]


def _stretches(change: Change) -> list[Stretch]:
    before = None if change.kind == "added" else text_of(change.before)
    after = None if change.kind == "removed" else text_of(change.after)
    return side_by_side(before, after)


def text_of(value: Any) -> str:
    """Return a value as text: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def unified(changes: list[Change], before_name: str, after_name: str) -> list[UnifiedLine]:
    """Return one unified diff a path, as a patch of many files has one a file."""
    return [UnifiedLine(line, _sort(line)) for line in _unified(changes, before_name, after_name)]


def _unified(changes: list[Change], before_name: str, after_name: str) -> Iterator[str]:
    for change in changes[:MOST_CHANGES]:
        before = "" if change.kind == "added" else text_of(change.before)
        after = "" if change.kind == "removed" else text_of(change.after)
        names = {"before_name": f"{before_name}/{change.path}", "after_name": f"{after_name}/{change.path}"}
        yield from diff.unified(before, after, **names).split("\n")[:-1]


def _sort(line: str) -> str:
    if line.startswith(("--- ", "+++ ")):
        return "name"
    return {"@": "at", "+": "add", "-": "del"}.get(line[:1], "")
