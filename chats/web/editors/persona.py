"""Sections of the persona form."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from chats.web.editors.words import LOREBOOKS, ROLES, TAGS, beginning
from formats.web.field import Field, Section

POSITIONS = (
    ("prompt", lazy("in its block of the prompt")),
    ("note_top", lazy("above the author's note")),
    ("note_bottom", lazy("below the author's note")),
    ("at_depth", lazy("among the messages")),
    ("none", lazy("nowhere")),
)

PERSONA_SECTIONS: tuple[Section, ...] = (
    Section(
        "about",
        lazy("About"),
        lambda document: beginning(document.get("title")) or _("no title"),
        (
            Field(
                "name", lazy("Name"), "line", lazy("Whom {{user}} stands for."), "Anna", is_required=True, is_half=True
            ),
            Field(
                "title", lazy("Title"), "line", lazy("Tells personas of one name apart."), "the captain", is_half=True
            ),
            TAGS,
            Field(
                "shared",
                lazy("Shared with the team; otherwise only you see it"),
                "flag",
                default=False,
            ),
        ),
    ),
    Section(
        "person",
        lazy("Who it is"),
        lambda document: beginning(document.get("description")) or _("nothing yet"),
        (
            Field("description", lazy("Description"), "text", lazy("Macros are allowed."), "{{user}} keeps a ferry."),
            Field("position", lazy("Stands"), "choice", default="prompt", choices=POSITIONS, is_half=True),
            Field(
                "depth",
                lazy("Messages after it"),
                "number",
                lazy("Among the messages: 0 is behind the newest."),
                "2",
                default=2,
                is_half=True,
            ),
            Field("role", lazy("Role"), "choice", default="system", choices=ROLES, is_half=True),
            LOREBOOKS,
        ),
    ),
)
