"""What every interceptor is, data or code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class InterceptorError(Exception):
    """An interceptor that can not be used, or gave what is no list of messages."""


class Interceptor(Protocol):
    """Takes a copy of the messages and returns what they shall be.

    Messages are dictionaries: `key` (keep it to say which message it is; a message without one is new), `role`,
    `content`, `name`, `origin`. Whatever is raised skips this interceptor alone.
    """

    @property
    def name(self) -> str:
        """What the journal calls it."""

    @property
    def priority(self) -> int:
        """Lower ones run first; of equal ones the name decides."""

    def intercept(self, messages: list[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        """Return the messages."""
