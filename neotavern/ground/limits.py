"""Limits of the HTTP surface, in one place. Template limits are in formats/handlebars/limits.py."""

from __future__ import annotations

MAX_BODY_BYTES = 16 * 1024 * 1024
"""One request body; a batch line has the same limit, a batch as a whole has none."""

MAX_DOCUMENT_BYTES = 1024 * 1024
"""One stored document, as canonical JSON."""

MAX_MESSAGES = 20_000
"""Messages of one render request."""

PAGE_SIZE = 50
MAX_PAGE_SIZE = 200

MAX_NOTE_CHARACTERS = 400
MAX_SLUG_CHARACTERS = 128
