"""Brings the built-in formats of this release into the library."""

from __future__ import annotations

from django.utils import timezone

from formats.builtin import builtin_document, builtin_slugs
from formats.stored import instruct_format
from neotavern.library.services.builtins import Loaded, load


def load_builtins() -> Loaded:
    """Load every built-in format; nothing happens for one that is there already."""
    documents = [builtin_document(slug) for slug in builtin_slugs()]
    return load(instruct_format.NAME, documents, now=timezone.now())
