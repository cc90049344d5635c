"""How many tokens a prompt may have, and the one refusal when what must stay is more than that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

Strategy = Literal["truncate", "summarize", "vector-recall", "manual"]
SHOWN: Final = 12
"""Parts of the prompt that a refusal lists, largest first."""


class Budget(NamedTuple):
    """The window, what of it the reply keeps, and how what is too much leaves.

    `cut` > 0 lets history leave in steps of about so many tokens, so that the beginning of the prompt stays the same
    for many turns and back ends can reuse what they have computed for it.
    """

    limit: int
    reserved: int = 0
    strategy: Strategy = "truncate"
    cut: int = 0

    @property
    def available(self) -> int:
        """What the prompt may have."""
        return self.limit - self.reserved


class Part(NamedTuple):
    """What one origin takes of the prompt."""

    origin: str
    tokens: int
    messages: int


class BudgetExceeded(Exception):
    """What may not be dropped has more tokens than the budget; `parts` says what it is, largest first."""

    def __init__(self, budget: Budget, tokens: int, parts: Sequence[Part]) -> None:
        self.budget, self.tokens, self.parts = budget, tokens, tuple(parts[:SHOWN])
        super().__init__(
            f"The prompt needs {tokens:,} tokens and may have {budget.available:,}: {budget.limit:,} of context less "
            f"{budget.reserved:,} for the reply. What is left can not be dropped."
        )

    @property
    def params(self) -> dict[str, Any]:
        """The figures, as the contract names them."""
        return {
            "contextLimit": self.budget.limit,
            "reservedForReply": self.budget.reserved,
            "promptTokens": self.tokens,
        }
