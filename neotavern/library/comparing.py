"""Two revisions of one object side by side: their documents by path and word, and the prompts that they render."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from neotavern.accounts.actor import Actor
from neotavern.ground.errors import invalid
from neotavern.library import diff, selectors
from neotavern.library.diff import Change, Row, Span
from neotavern.library.models import Item, Revision
from neotavern.library.pointers import MAX_NUMBER
from neotavern.library.rendering import Conversation, renderer_of

MAX_WORD_DIFFS = 100
"""Texts of one comparison that are compared by word; later ones are shown as replaced whole, so that it ends soon."""


def compare(item: Item, before: str | None, after: str | None, *, rows: bool = False) -> dict[str, Any]:
    """Return the JSON form of the difference of two revisions, each named by number or label.

    `after` None is the newest revision, `before` None the one before `after`. `rows` adds side-by-side lines. Raises
    NOT_FOUND for an unknown revision or label.
    """
    newer = _revision(item, after)
    older = _revision(item, before if before is not None else str(max(1, newer.number - 1)))
    changes = diff.documents(selectors.document(item, older), selectors.document(item, newer))
    return {
        "from": older.number,
        "to": newer.number,
        "changes": [_change(change, by_word=index < MAX_WORD_DIFFS, rows=rows) for index, change in enumerate(changes)],
        "unified": "".join(_unified(changes, older.number, newer.number)),
    }


def _revision(item: Item, name: str | None) -> Revision:
    if name is None:
        return selectors.revision(item)
    if name.isascii() and name.isdigit():
        return selectors.revision(item, number=min(int(name[:12]), MAX_NUMBER))
    return selectors.revision(item, label=name)


def compare_prompts(actor: Actor, item: Item, compared: dict[str, Any], conversation: Conversation) -> dict[str, Any]:
    """Return the difference of what the two revisions of a comparison render on one conversation.

    Raises VALIDATION for a kind that is never rendered by itself, and whatever the render raises.
    """
    render = renderer_of(item.kind)
    if render is None:
        raise invalid("messages", "Objects of this kind are not rendered by themselves.")
    older, newer = (render(actor, f"{item.slug}@{compared[side]}", conversation) for side in ("from", "to"))
    names = {"before_name": f"rendered@{compared['from']}", "after_name": f"rendered@{compared['to']}"}
    return {
        "before": older,
        "after": newer,
        "words": _words(diff.words(older, newer)),
        "unified": diff.unified(older, newer, **names),
    }


def _change(change: Change, *, by_word: bool, rows: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "path": change.path,
        "kind": change.kind,
        "before": change.before,
        "after": change.after,
        "words": _words(_spans(change, by_word=by_word)),
    }
    if rows:
        compared = change.is_text and by_word
        shown["rows"] = [_row(row) for row in diff.side_by_side(change.before, change.after)] if compared else []
    return shown


def _spans(change: Change, *, by_word: bool) -> list[Span]:
    """Return the words of two texts, one of which may not be there; nothing for values of other types."""
    sides = (change.before, change.after)
    if not all(side is None or isinstance(side, str) for side in sides):
        return []
    if change.is_text and by_word:
        return diff.words(change.before, change.after)
    return [Span(op, text) for op, text in (("delete", change.before), ("insert", change.after)) if text]  # type: ignore[arg-type]


def _words(spans: list[Span]) -> list[dict[str, str]]:
    return [{"op": span.op, "text": span.text} for span in spans]


def _row(row: Row) -> dict[str, Any]:
    return {
        "leftNumber": row.left_number,
        "left": _words(list(row.left)),
        "rightNumber": row.right_number,
        "right": _words(list(row.right)),
    }


def _unified(changes: list[Change], older: int, newer: int) -> Iterator[str]:
    """Yield one unified diff a path, as a patch of many files has one a file; what is no text is shown as JSON."""
    for change in changes:
        names = {"before_name": f"{older}/{change.path}", "after_name": f"{newer}/{change.path}"}
        yield diff.unified(_text(change.before), _text(change.after), **names)


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else orjson.dumps(value, option=orjson.OPT_INDENT_2).decode() + "\n"
