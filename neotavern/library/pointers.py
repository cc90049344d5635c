"""How one object names another: `slug`, `slug@label` or `slug@7`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from neotavern.ground.errors import invalid
from neotavern.ground.limits import MAX_SLUG_CHARACTERS

LATEST = "latest"
MAX_NUMBER = 2**31 - 1
"""Largest revision number that both databases can hold; a larger one names nothing."""

RESERVED_SLUGS = frozenset({"validate", "find", "import", "new", "bulk"})
"""Words that stand where a slug stands in an address."""

_SLUG = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{MAX_SLUG_CHARACTERS - 1}}}")
_LABEL = re.compile(r"(?![0-9]+\Z)[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A slug with a label or a number; a bare slug means label `latest`."""

    slug: str
    label: str = LATEST
    number: int | None = None

    @property
    def pin(self) -> str:
        """The part after the @, as reference rows keep it."""
        return self.label if self.number is None else str(self.number)

    def __str__(self) -> str:
        return self.slug if self.pin == LATEST else f"{self.slug}@{self.pin}"


def is_slug(text: str) -> bool:
    """Return whether `text` has the form of a slug. What has not can not exist, so it is never looked up."""
    return _SLUG.fullmatch(text) is not None


def check_slug(text: str, path: str = "id") -> str:
    """Return `text`. Raises VALIDATION when it can not be a slug."""
    if not is_slug(text):
        rule = f"1 to {MAX_SLUG_CHARACTERS} of A-Z a-z 0-9 . _ -, beginning with a letter or digit"
        raise invalid(path, f"{text[:80]!r} is not a slug: {rule}.")
    if text in RESERVED_SLUGS:
        raise invalid(path, f"{text!r} is a word of the address: choose another slug.")
    return text


def is_label(text: str) -> bool:
    """Return whether `text` has the form of a label: no label is a number."""
    return _LABEL.fullmatch(text) is not None


def check_label(text: str, path: str = "label") -> str:
    """Return `text`. Raises VALIDATION when a person can not move a label of this name."""
    if text == LATEST:
        raise invalid(path, "`latest` moves by itself: it is the newest revision whose checks are green or forced.")
    if not is_label(text):
        raise invalid(path, "A label is 1 to 64 of A-Z a-z 0-9 . _ - and not a number.")
    return text


def parse_pointer(text: str) -> Pointer:
    """Return what `slug[@label|@number]` says; any text is read, what can not exist is simply not found later."""
    slug, _, pin = text.partition("@")
    if not pin:
        return Pointer(slug)
    if pin.isascii() and pin.isdigit():
        return Pointer(slug, number=min(int(pin[:12]), MAX_NUMBER))
    return Pointer(slug, label=pin)
