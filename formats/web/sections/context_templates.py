"""Sections of the context template form: what it is, how it prints, and behind a switch the template itself."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from formats.web.field import Field, Section
from formats.web.sections.about import about

ADVANCED = "advanced"


def _printing(document: dict[str, Any]) -> str:
    by_date = document.get("historyOrder") == "date"
    kept = document.get("blankLines") == "keep"
    words = [_("history by date") if by_date else _("history by relevance")]
    return " · ".join([*words, *([_("blank lines as written")] if kept else [])])


def _template(document: dict[str, Any]) -> str:
    lines = str(document.get("template") or "").count("\n")
    return ngettext("%(n)d line", "%(n)d lines", lines) % {"n": lines}


CONTEXT_TEMPLATE_SECTIONS: tuple[Section, ...] = (
    about(lazy("For which chats it is, and how it differs from the others.")),
    Section(
        "printing",
        lazy("How it prints"),
        _printing,
        (
            Field(
                "historyOrder",
                lazy("Dated lore stands"),
                "choice",
                lazy("What an engine chose for the prompt, in this order."),
                default="relevance",
                is_half=True,
                choices=(("relevance", lazy("by relevance")), ("date", lazy("newest first"))),
            ),
            Field(
                "blankLines",
                lazy("Blank lines of absent sections"),
                "choice",
                default="collapse",
                is_half=True,
                choices=(("collapse", lazy("are taken away")), ("keep", lazy("stay as the template has them"))),
            ),
        ),
        lazy(
            "Facts (who someone is, what is known, what happened) reach the template as JSON, because keys keep one "
            "character's traits from running into the next one's. Directives (instructions, scenario, reminders) stay "
            "prose: they are to be followed, not looked up."
        ),
    ),
    Section(
        ADVANCED,
        lazy("Advanced: the template"),
        _template,
        (
            Field(
                "template",
                lazy("Template"),
                "template",
                lazy(
                    "Handlebars. Role blocks make the messages: systemBlock, userBlock, assistantBlock, toolBlock. The "
                    "last entry of chatMessages is the turn that the model goes on from: nothing stands after it."
                ),
                is_required=True,
            ),
        ),
    ),
)
