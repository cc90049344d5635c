"""The final check: what leaves when the render is larger than its parts."""

from __future__ import annotations

from chats.infill.registry import engine
from chats.infill.trimming import trimmed
from tests.chats.infill.samples import lore, reasons, scene

MADE = engine("keyword").select(scene("lamp"), [lore("p", pinned=True), lore("a", "lamp"), lore("b", order=1)], None)


def test_the_worst_leaves_first() -> None:
    less = trimmed(MADE, 3)
    assert (less.chosen, less.tokens) == (("p", "a"), 20)
    assert reasons(less) == {"p": "pinned", "a": "scored", "b": "tokenLimit"}


def test_pinned_never_leaves() -> None:
    assert (trimmed(MADE, 1000).chosen, trimmed(MADE, 1000).tokens) == (("p",), 10)


def test_nothing_over_changes_nothing() -> None:
    assert trimmed(MADE, 0) is MADE
