"""Choices and fields that several editors of this floor share."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as lazy

from formats.web.field import Field

ROLES = (("system", lazy("system")), ("user", lazy("user")), ("assistant", lazy("assistant")))
ANY_ROLES = (*ROLES, ("tool", lazy("tool")))
TRIGGERS = (
    ("normal", lazy("a reply")),
    ("continue", lazy("continuing")),
    ("regenerate", lazy("another reply")),
    ("impersonate", lazy("speaking for the user")),
    ("quiet", lazy("in the background")),
)
TAGS = Field(
    "tags", lazy("Tags"), "tags", lazy("Separated by commas; lists can be narrowed by them."), "elf, ferry", default=[]
)
LOREBOOKS = Field(
    "lorebooks",
    lazy("Lorebooks"),
    "items",
    lazy("One a line: a slug, slug@label or slug@number."),
    "harbour@production",
    default=[],
)
PART = 90


def beginning(*texts: Any) -> str:
    """Return how the first text that says something begins, on one line."""
    for text in texts:
        line = " ".join(str(text or "").split())
        if line:
            return line[:PART] + ("…" if len(line) > PART else "")
    return ""
