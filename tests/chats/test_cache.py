"""The cache of compiled things: bounded, safe for threads, and without errors in it."""

from __future__ import annotations

import threading

import pytest

from chats.services.cache import ContentCache


def test_it_makes_a_value_once() -> None:
    cache: ContentCache[list[int]] = ContentCache(2)
    first = cache.get_or_make("a", lambda: [1])
    assert cache.get_or_make("a", lambda: [2]) is first


def test_it_forgets_what_was_not_used_for_longest() -> None:
    cache: ContentCache[str] = ContentCache(2)
    for key in ("a", "b", "a", "c"):
        cache.get_or_make(key, lambda key=key: key)
    assert len(cache) == 2
    assert cache.get_or_make("a", lambda: "new") == "a"
    assert cache.get_or_make("b", lambda: "new") == "new"


def test_an_error_is_not_kept() -> None:
    cache: ContentCache[str] = ContentCache(2)

    def fail() -> str:
        raise LookupError

    with pytest.raises(LookupError):
        cache.get_or_make("a", fail)
    assert cache.get_or_make("a", lambda: "made") == "made"


def test_threads_that_miss_at_once_get_one_value() -> None:
    cache: ContentCache[object] = ContentCache(4)
    barrier = threading.Barrier(8)
    seen: list[object] = []

    def make() -> object:
        barrier.wait(10)
        return object()

    threads = [threading.Thread(target=lambda: seen.append(cache.get_or_make("a", make))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, seen))) == 1
