"""The token budget: of all lore, and of each book."""

from __future__ import annotations

from collections.abc import Callable

from chats.lore.compiled import CompiledBook, CompiledEntry
from chats.lore.outcome import Code, Reason
from chats.lore.settings import LoreSettings


class Purse:
    """What is spent so far. What is constant or pinned is counted and never left out; `ignoreBudget` is not counted.

    What does not fit is left out, and what comes after it may still fit.
    """

    def __init__(self, settings: LoreSettings, count: Callable[[str], int] | None) -> None:
        self.limit = settings.budget.limit(settings.context_tokens)
        self._count = count
        self._spent: dict[str, int] = {}
        self.total = 0

    def is_counting(self, book: CompiledBook) -> bool:
        """Whether a text of this book has to be counted at all."""
        return self._count is not None and (self.limit is not None or book.settings.token_budget is not None)

    def pay(self, book: CompiledBook, compiled: CompiledEntry, text: str) -> tuple[int | None, Reason | None]:
        """Return the tokens of `text`, where they matter, and why it is left out, where it is."""
        if self._count is None or not self.is_counting(book):
            return None, None
        tokens = self._count(text)
        if compiled.entry.ignore_budget:
            return tokens, None
        spent = self._spent.get(book.id, 0)
        if not compiled.is_required:
            for scope, used, limit in (("lore", self.total, self.limit), ("book", spent, book.settings.token_budget)):
                if limit is not None and used + tokens > limit:
                    return tokens, Reason(
                        Code.BUDGET, {"scope": scope, "tokens": tokens, "used": used, "budget": limit}
                    )
        self.total += tokens
        self._spent[book.id] = spent + tokens
        return tokens, None
