"""Slugs of documents: what one without `id` is offered, and a document under another."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from neotavern.ground.limits import MAX_SLUG_CHARACTERS

_RUN = re.compile(r"[^a-z0-9]+")
_LONGEST = MAX_SLUG_CHARACTERS - 20
"""Leaves room for a suffix that tells two of the same name apart."""

_IN_FRONT = ("kind", "version", "id")


def suggest_slug(name: str, fallback: str) -> str:
    """Return `name` in small letters, digits and hyphens; `fallback` where nothing of it is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return _RUN.sub("-", plain)[:_LONGEST].strip("-") or fallback


def with_slug(document: dict[str, Any], slug: str) -> dict[str, Any]:
    """Return a document under another slug, also one that leaves out its `id`."""
    front = {key: document[key] for key in _IN_FRONT if key in document}
    return front | {"id": slug} | {key: value for key, value in document.items() if key not in _IN_FRONT}
