"""Sections of the memory form."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from chats.web.editors.words import ROLES, TAGS, beginning
from formats.web.field import Field, Section

SCOPES = (
    ("global", lazy("the whole team")),
    ("character", lazy("one character")),
    ("chat", lazy("one chat")),
)
POSITIONS = (("block", lazy("in the block of memories")), ("at_depth", lazy("among the messages")))


def _use(document: dict[str, Any]) -> str:
    if not document.get("enabled", True):
        return _("switched off")
    return _("pinned") if document.get("pinned") else _("by rank")


MEMORY_SECTIONS: tuple[Section, ...] = (
    Section(
        "content",
        lazy("Memory"),
        lambda document: beginning(document.get("content")) or _("nothing yet"),
        (
            Field("name", lazy("Name"), "line", lazy("Empty: how the text begins."), "The broken oar"),
            Field(
                "content", lazy("Text"), "text", lazy("What is to be remembered. Macros are allowed."), is_required=True
            ),
            Field(
                "keys",
                lazy("Keys"),
                "items",
                lazy("One a line: it ranks by those that the newest messages have. Without any it ranks by its words."),
                "oar",
                default=[],
            ),
            TAGS,
        ),
    ),
    Section(
        "use",
        lazy("Use"),
        _use,
        (
            Field("enabled", lazy("Takes part"), "flag", default=True),
            Field("pinned", lazy("Pinned: always in the prompt"), "flag", default=False),
            Field("scope", lazy("Belongs to"), "choice", default="global", choices=SCOPES),
            Field(
                "character",
                lazy("Character"),
                "line",
                lazy("Its slug, when it belongs to one."),
                "mira",
                default=None,
                empty="null",
                is_half=True,
                names="character",
            ),
            Field(
                "chat",
                lazy("Chat"),
                "line",
                lazy("Its slug, when it belongs to one."),
                "ferry",
                default=None,
                empty="null",
                is_half=True,
                names="chat",
            ),
        ),
    ),
    Section(
        "place",
        lazy("Place"),
        lambda document: str(dict(POSITIONS).get(document.get("position", "block"), "")),
        (
            Field("position", lazy("Stands"), "choice", default="block", choices=POSITIONS, is_half=True),
            Field(
                "order", lazy("Order"), "number", lazy("A lower one stands earlier."), "100", default=100, is_half=True
            ),
            Field(
                "depth",
                lazy("Messages after it"),
                "number",
                lazy("Among the messages: 0 is behind the newest."),
                "4",
                default=4,
                is_half=True,
            ),
            Field("role", lazy("Role"), "choice", default="system", choices=ROLES, is_half=True),
        ),
    ),
)
