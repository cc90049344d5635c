"""Small books and their activation, for tests that name only what they are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chats.documents import InlineLorebook, validate
from chats.lore import Activation, CompiledBook, LoreSettings, SeededRolls, activate, compile_book
from chats.lore.settings import Rolls


class FixedRolls:
    """Chance that always says the same."""

    def __init__(self, value: float) -> None:
        self.value = value
        self.asked: list[tuple[str, ...]] = []

    def roll(self, *names: str) -> float:
        self.asked.append(names)
        return self.value


def words(text: str) -> int:
    """A token counter that can be checked by eye."""
    return len(text.split())


def book(*entries: Mapping[str, Any], book_id: str = "book", **settings: Any) -> CompiledBook:
    """Compile a book; an entry without uid is called `0`, `1` …"""
    document = {"name": book_id, **settings, "entries": [dict(entry) for entry in entries]}
    return compile_book(validate(InlineLorebook, document), book_id=book_id)


def run(
    books: CompiledBook | Sequence[CompiledBook],
    *texts: str,
    rolls: Rolls | None = None,
    settings: LoreSettings | None = None,
    **options: Any,
) -> Activation:
    """Activate; `texts` are messages, oldest first."""
    given = [books] if isinstance(books, CompiledBook) else books
    return activate(given, texts, settings or LoreSettings(), rolls or SeededRolls(1), **options)


def uids(activation: Activation) -> list[str]:
    """Who is in, in prompt order."""
    return [hit.ref.uid for hit in activation.activated]


def reasons(activation: Activation) -> dict[str, dict[str, Any]]:
    """Why who is out."""
    return {rejected.ref.uid: rejected.reason.wire() for rejected in activation.rejected}


def is_in(entry: Mapping[str, Any], *texts: str, **settings: Any) -> bool:
    """Whether one entry is called by the texts."""
    return uids(run(book(entry, **settings), *texts)) == ["0"]
