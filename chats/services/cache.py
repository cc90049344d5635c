"""A bounded cache of things made from content: its keys are content hashes, so nothing in it can be out of date."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class ContentCache(Generic[T]):
    """Keeps the `limit` values used last. Safe for threads; two that miss at once both make the value, one is kept."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._values: OrderedDict[str, T] = OrderedDict()

    def get_or_make(self, key: str, make: Callable[[], T]) -> T:
        """Return the value of `key`, made outside the lock when it is not there. Errors of `make` are not kept."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
                return value
        made = make()
        with self._lock:
            value = self._values.setdefault(key, made)
            while len(self._values) > self._limit:
                self._values.popitem(last=False)
        return value

    def __len__(self) -> int:
        return len(self._values)

    def clear(self) -> None:
        """Forget everything; for tests."""
        with self._lock:
            self._values.clear()
