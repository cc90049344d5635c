"""Regular expressions of keys: RE2, whose time is linear in the text whatever the pattern."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import re2

MAX_PROGRAM: Final = 10_000
"""Largest compiled pattern, in RE2's instructions: repetition of repetition grows fast."""

MAX_WORK: Final = 100_000_000
"""Instructions times bytes that one activation may spend on patterns; about two seconds at the very worst."""

_MEMORY: Final = 2 * 1024 * 1024
_CHUNK: Final = 400


class PatternError(ValueError):
    """A pattern that can not be used, and why."""


class Work:
    """What one activation has left to spend on patterns."""

    __slots__ = ("left",)

    def __init__(self, left: int = MAX_WORK) -> None:
        self.left = left

    @property
    def is_spent(self) -> bool:
        """Whether patterns were left out for lack of it."""
        return self.left < 0


def check_pattern(source: str) -> None:
    """Raise PatternError where RE2 can not compile `source`, or only to something huge."""
    try:
        size = re2.compile(source, _options()).programsize
    except re2.error as error:
        raise PatternError(_words(error)) from None
    if size > MAX_PROGRAM:
        raise PatternError(f"the pattern is too large: {size} instructions, {MAX_PROGRAM} are allowed")


class Patterns:
    """Which of many patterns match a text. Good patterns only: `check_pattern` first."""

    __slots__ = ("_chunks",)

    def __init__(self, patterns: Sequence[tuple[int, str]]) -> None:
        self._chunks = tuple(_Chunk(patterns[at : at + _CHUNK]) for at in range(0, len(patterns), _CHUNK))

    def __bool__(self) -> bool:
        return bool(self._chunks)

    def scan(self, text: bytes, found: set[int], work: Work) -> None:
        """Add the ids of the patterns that match `text` to `found`; those that are in it already are not tried."""
        for chunk in self._chunks:
            chunk.scan(text, found, work)


class _Chunk:
    """Some patterns behind one filter: only those whose fixed letters occur in the text are run."""

    __slots__ = ("_filter", "_patterns")

    def __init__(self, patterns: Sequence[tuple[int, str]]) -> None:
        self._patterns = [(id_, re2.compile(source, _options())) for id_, source in patterns]
        self._filter = _filter_of(source for _, source in patterns)

    def scan(self, text: bytes, found: set[int], work: Work) -> None:
        chosen = range(len(self._patterns)) if self._filter is None else self._filter.Match(text, True) or ()
        for index in chosen:
            id_, pattern = self._patterns[index]
            if id_ in found:
                continue
            work.left -= pattern.programsize * len(text)
            if work.is_spent:
                return
            if pattern.search(text) is not None:
                found.add(id_)


def _filter_of(sources: Iterable[str]) -> Any:
    """Return RE2's filter over the patterns, or None where their letters together are too much for it."""
    built = re2.Filter()
    try:
        for source in sources:
            built.Add(source, _options())
        built.Compile()
    except re2.error:
        return None
    return built


def _options() -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    return options


def _words(error: Exception) -> str:
    text = error.args[0] if error.args else error
    text = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    if text.startswith("invalid perl operator") or text[-2:-1] == "\\":
        return f"{text}: look-around and back references do not exist here, since no linear-time search has them"
    return text
