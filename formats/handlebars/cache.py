"""Compiled templates, kept: bounded, least recently used out first, safe to use from every thread."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Cache(Generic[Item]):
    """At most `size` items by key, of at most `weight` together; one that is heavier still is not kept."""

    def __init__(self, size: int, weight: int) -> None:
        self.size, self.weight = size, weight
        self._lock = threading.Lock()
        self._items: OrderedDict[Hashable, tuple[Item, int]] = OrderedDict()
        self._held = 0

    def get(self, key: Hashable, weight: int, make: Callable[[], Item]) -> Item:
        """The item of `key`, made if need be. Two threads may make the same one at once; the first stays."""
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
                return self._items[key][0]
        made = make()
        if weight > self.weight:
            return made
        with self._lock:
            if key not in self._items:
                self._items[key] = made, weight
                self._held += weight
            item = self._items[key][0]
            while len(self._items) > self.size or self._held > self.weight:
                _, (_, freed) = self._items.popitem(last=False)
                self._held -= freed
        return item

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._items.clear()
            self._held = 0

    def __len__(self) -> int:
        return len(self._items)
