"""The engines by name. `auto` is the vector engine where there are vectors, else the keyword engine."""

from __future__ import annotations

from typing import Final, Literal

from chats.infill.fallback import Unavailable, WithFallback
from chats.infill.hybrid import HybridEngine
from chats.infill.keyword.engine import KeywordEngine
from chats.infill.semantic.engine import VectorEngine
from chats.infill.semantic.ports import Meaning
from chats.infill.types import Engine, Options

Choice = Literal["auto", "keyword", "vector", "hybrid"]
DEFAULT: Final = Options()
NO_MODEL: Final = "this server has no model for it"


def engine(
    choice: Choice = "keyword", options: Options = DEFAULT, meaning: Meaning | None = None, why_not: str = NO_MODEL
) -> Engine:
    """Return the engine that `choice` means. It always answers.

    `meaning` is what the server has for vectors; without it keywords do the work, and `why_not` says in the finding why
    (none for `auto`, which asks for what there is).
    """
    if choice == "keyword" or (choice == "auto" and meaning is None):
        return KeywordEngine(options)
    asked: Literal["vector", "hybrid"] = "hybrid" if choice == "hybrid" else "vector"
    if meaning is None:
        return Unavailable(asked, why_not, options)
    made = HybridEngine(options, meaning) if asked == "hybrid" else VectorEngine(options, meaning)
    return WithFallback(made, options, "info" if choice == "auto" else "warning")
