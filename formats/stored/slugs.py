"""The slug that a document without `id` is offered."""

from __future__ import annotations

import re
import unicodedata

from neotavern.ground.limits import MAX_SLUG_CHARACTERS

_RUN = re.compile(r"[^a-z0-9]+")
_LONGEST = MAX_SLUG_CHARACTERS - 20
"""Leaves room for a suffix that tells two of the same name apart."""


def suggest_slug(name: str, fallback: str) -> str:
    """Return `name` in small letters, digits and hyphens; `fallback` where nothing of it is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return _RUN.sub("-", plain)[:_LONGEST].strip("-") or fallback
