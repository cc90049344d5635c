"""Interceptors that installed Python packages bring along, as entry points of the group `neotavern.interceptors`."""

from __future__ import annotations

import functools
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, Final

from chats.pipeline.interceptors import Interceptor, InterceptorError

GROUP: Final = "neotavern.interceptors"
TIMEOUT: Final = 2.0
"""Seconds for one interceptor in one render; it goes on in its thread, and what it gives is thrown away."""

THREADS: Final = 4
LOG = logging.getLogger("neotavern.interceptors")


@dataclass(frozen=True, slots=True)
class Timed:
    """An interceptor of a package, whose answer is waited for only so long."""

    name: str
    priority: int
    inner: Any
    timeout: float = TIMEOUT

    def intercept(self, messages: list[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        """Return what the package's code makes of the messages. Raises InterceptorError when it takes too long."""
        asked = _pool().submit(self.inner.intercept, messages)
        try:
            answer: Sequence[dict[str, Any]] = asked.result(self.timeout)
        except TooLate:
            asked.cancel()
            raise InterceptorError(f"it took longer than {self.timeout:g} seconds") from None
        return answer


class _Missing:
    """Stands for code that is not installed on this server."""

    def __init__(self, package: str) -> None:
        self._package = package

    def intercept(self, messages: list[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        raise InterceptorError(f"no installed package has an interceptor {self._package[:80]!r}")


def from_package(package: str, name: str, priority: int) -> Interceptor:
    """Return the code of an entry point under a name and priority; one that is not there fails when it runs."""
    return Timed(name, priority, installed().get(package) or _Missing(package))


@functools.cache
def installed() -> Mapping[str, Any]:
    """Return what the entry points give, by their names; one that fails to load is logged and left out."""
    made: dict[str, Any] = {}
    for entry in entry_points(group=GROUP):
        try:
            made[entry.name] = entry.load()
        except Exception:  # whatever a package does when it is imported is its own affair
            LOG.exception("the interceptor %s can not be loaded", entry.name)
    return made


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, thread_name_prefix="interceptor")
