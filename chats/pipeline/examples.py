"""Example dialogues of a card: one text for each block between `<START>` marks."""

from __future__ import annotations

import re
from typing import Final

START: Final = re.compile(r"^[ \t]*<START>[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)


def examples_of(text: str) -> list[str]:
    """Return the dialogues, blank ones left out. Without a mark the text is one; speakers stay as written."""
    return [block for block in (part.strip() for part in START.split(text)) if block]
