"""Vectors kept in the process: those of texts used lately, and those of whole books. Keyed by content: never stale."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Final, Generic, TypeVar

V = TypeVar("V")

TEXTS: Final = 8_192
"""About 12 MB at 384 numbers each."""

BOOK_ROWS: Final = 60_000
"""About 90 MB at 384 numbers each."""


class Kept(Generic[V]):
    """Keeps values used lately, up to a `limit` of their weights. Safe for threads."""

    def __init__(self, limit: int) -> None:
        self._limit, self._weight = limit, 0
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()

    def get(self, key: Hashable) -> V | None:
        """Return the value of `key`."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: V, weight: int = 1) -> None:
        """Keep a value; one that alone is over the limit is not kept."""
        if weight > self._limit:
            return
        with self._lock:
            if key in self._values:
                return
            self._values[key] = (value, weight)
            self._weight += weight
            while self._weight > self._limit:
                self._weight -= self._values.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Forget everything; for tests."""
        with self._lock:
            self._values.clear()
            self._weight = 0


ROWS: Final[Kept[Any]] = Kept(TEXTS)
BOOKS: Final[Kept[Any]] = Kept(BOOK_ROWS)
