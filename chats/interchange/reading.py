"""What every reader here gives, and how values of other programs' files are made fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from chats.documents.foreign import Loss

Read = Callable[[Any, str], tuple[dict[str, Any], list[Loss]]]
"""Takes the parsed file and the name that it came under; returns a document of ours and what it lost."""


class Reader(NamedTuple):
    """A foreign file: `label` says what it is, `family` where it comes from, `kind` what it becomes."""

    kind: str
    label: str
    family: str
    knows: Callable[[Any], bool]
    read: Read


def is_object(value: Any, *keys: str) -> bool:
    """Return whether `value` is an object that has all of `keys`."""
    return isinstance(value, Mapping) and all(key in value for key in keys)


def stem(name: str) -> str:
    """Return a file's name without path and ending."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return last.rsplit(".", 1)[0] if "." in last[1:] else last
