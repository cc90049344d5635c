"""Section About: how people find the format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from formats.web.field import Field, Section

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LONG = 90


def _about(document: dict[str, Any]) -> str:
    description = " ".join(str(document.get("description") or "").split())
    short = description[:LONG] + ("…" if len(description) > LONG else "")
    tags = ", ".join(document.get("tags") or [])
    return " · ".join(part for part in (short, tags) if part) or _("no description, no tags")


def about(description: StrOrPromise) -> Section:
    """Return the section; `description` is the help of that field."""
    return Section(
        "about",
        lazy("About"),
        _about,
        (
            Field("name", lazy("Name"), "line", lazy("How people read it in lists."), "House style", is_required=True),
            Field("description", lazy("Description"), "text", description),
            Field(
                "tags",
                lazy("Tags"),
                "tags",
                lazy("Separated by commas; lists can be narrowed by them."),
                "qwen, roleplay",
                default=[],
            ),
        ),
    )


ABOUT = about(lazy("For which models it is, and what is special about it."))
