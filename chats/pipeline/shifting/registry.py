"""The strategies by the names of the contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from chats.pipeline.shifting.strategies import least_relevant_first, oldest_first
from chats.pipeline.shifting.units import Unit
from formats.prompt.message import Message

Order = Callable[[Sequence[Unit], Sequence[Message]], list[Unit]]


class Strategy(NamedTuple):
    """In which order things leave, and whether a summary of them stays."""

    order: Order
    summarises: bool = False


STRATEGIES: Final[Mapping[str, Strategy]] = {
    "truncate": Strategy(oldest_first),
    "summarize": Strategy(oldest_first, summarises=True),
    "vector-recall": Strategy(least_relevant_first),
    # what the caller marked as excluded has left before; then as `truncate`
    "manual": Strategy(oldest_first),
}
