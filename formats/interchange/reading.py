"""What every reader here gives, and how the fields of another program's file are taken: each once, none in silence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from formats.prompt.errors import Fault, FormatError, join_path

Document = dict[str, Any]
LONGEST_SLUG: Final = 100
_RUN: Final = re.compile(r"[^a-z0-9]+")


class Loss(NamedTuple):
    """Something that a reading or a writing could not keep, and why."""

    path: str
    reason: str


Read = Callable[[Any, str], tuple[Document, list[Loss]]]
"""Takes the parsed file and the name that it came under; returns a document of ours and what it lost."""


class Reader(NamedTuple):
    """A foreign file: `label` says what it is, `family` where it comes from, `kind` what it becomes."""

    kind: str
    label: str
    family: str
    knows: Callable[[Any], bool]
    read: Read


class Part(NamedTuple):
    """One of the documents that a file holds, the name it has there, and what of the file is lost with it."""

    name: str
    document: Any
    losses: tuple[Loss, ...] = ()


class Written(NamedTuple):
    """A format in another program's words: a text file, and what it does not say."""

    text: str
    extension: str
    losses: tuple[Loss, ...] = ()
    content_type: str = "text/plain; charset=utf-8"


def is_object(value: Any, *keys: str) -> bool:
    """Return whether `value` is an object of another program that has all of `keys`."""
    return isinstance(value, Mapping) and not _is_ours(value) and all(key in value for key in keys)


def _is_ours(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("kind"), str) and "version" in value


def stem(name: str) -> str:
    """Return a file's name without path and ending."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return last.rsplit(".", 1)[0] if "." in last[1:] else last


def slug_of(name: str, fallback: str) -> str:
    """Return `name` in small letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return _RUN.sub("-", plain)[:LONGEST_SLUG].strip("-") or fallback


def heading(kind: str, version: int, name: str, fallback: str) -> Document:
    """Return the fields that every document of ours begins with."""
    shown = name.replace("\0", "").strip()[:200] or fallback
    return {"kind": kind, "version": version, "id": slug_of(shown, slug_of(fallback, kind)), "name": shown}


class Fields:
    """The fields of a foreign object; what was not asked for is a loss. Wrong types are FormatError, located."""

    def __init__(self, document: Mapping[str, Any], path: str = "") -> None:
        self._document = document
        self._path = path
        self._taken: set[str] = set()
        self._faults: list[Fault] = []
        self.losses: list[Loss] = []

    def text(self, key: str, default: str = "") -> str:
        """Return a string; null and absent are `default`."""
        value = self.raw(key)
        if value is None:
            return default
        if not isinstance(value, str):
            self._faults.append(Fault(self.at(key), f"must be a string, not {type_name(value)}"))
            return default
        return value.replace("\0", "").replace("\r\n", "\n")

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Return a switch; null and absent are `default`."""
        value = self.raw(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            self._faults.append(Fault(self.at(key), f"must be true or false, not {type_name(value)}"))
            return default
        return value

    def number(self, key: str) -> int | None:
        """Return a whole number, None where none is given."""
        value = self.raw(key)
        if value is None or isinstance(value, bool) or not isinstance(value, int | float):
            if value is not None:
                self._faults.append(Fault(self.at(key), f"must be a number, not {type_name(value)}"))
            return None
        return int(value) if value == value and abs(value) < 2**53 else None  # noqa: PLR0124 - NaN is no number

    def objects(self, key: str) -> list[Fields]:
        """Return the objects of an array; anything else in it is a fault."""
        value = self.raw(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self._faults.append(Fault(self.at(key), f"must be an array, not {type_name(value)}"))
            return []
        found = []
        for index, item in enumerate(value):
            if isinstance(item, Mapping):
                found.append(Fields(item, f"{self.at(key)}[{index}]"))
            else:
                self._faults.append(Fault(f"{self.at(key)}[{index}]", f"must be an object, not {type_name(item)}"))
        return found

    def raw(self, key: str) -> Any:
        """Return a value of any type, and count it as taken."""
        self._taken.add(key)
        return self._document.get(key)

    def ignore(self, prefix: str = "") -> None:
        """Count every field whose name begins with `prefix` as taken: it says nothing about a prompt."""
        self._taken.update(key for key in self._document if str(key).startswith(prefix))

    def at(self, key: str) -> str:
        """Return the field's place in the file."""
        return join_path(self._path, key)

    def lose(self, key: str, reason: str) -> None:
        """Note that a field is not kept as it was."""
        self._taken.add(key)
        self.losses.append(Loss(self.at(key), reason))

    def lose_unless_empty(self, reasons: Mapping[str, str]) -> None:
        """Note fields without a meaning here; one that says nothing (empty, false, null) loses nothing."""
        for key, reason in reasons.items():
            if self._document.get(key) not in (None, "", False, [], {}):
                self.lose(key, reason)
            self._taken.add(key)

    def finish(self, reason: str) -> list[Loss]:
        """Return every loss, one for each field that nobody took. Raises FormatError for wrong types."""
        if self._faults:
            raise FormatError(self._faults)
        rest = [Loss(self.at(str(key)), reason) for key in self._document if key not in self._taken]
        return [*self.losses, *rest]

    def adopt(self, others: Iterable[Fields], reason: str) -> None:
        """Take over the losses and faults of objects inside this one."""
        for other in others:
            self._faults += other._faults
            other._faults = []
            self.losses += other.finish(reason)


def type_name(value: Any) -> str:
    """Return the JSON name of a value's type."""
    names = {
        bool: "a boolean",
        int: "a number",
        float: "a number",
        str: "a string",
        list: "an array",
        dict: "an object",
    }
    return "null" if value is None else names.get(type(value), type(value).__name__)


def texts(value: Any) -> list[str]:
    """Return the non-empty strings of a list, NUL left out."""
    listed = value if isinstance(value, list) else ()
    return [one.replace("\0", "") for one in listed if isinstance(one, str) and one.replace("\0", "")]
