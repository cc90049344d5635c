"""Sections of the form of a book's settings; its entries have pages of their own."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from chats.web.editors.words import TAGS, beginning
from formats.web.field import Field, Rows, Section, Variant

YES_NO = (("", lazy("as the chat says")), ("true", lazy("yes")), ("false", lazy("no")))
STATES = (
    ("active", lazy("present")),
    ("deceased", lazy("dead")),
    ("missing", lazy("missing")),
    ("departed", lazy("gone away")),
)
VISIBILITIES = (("normal", lazy("known")), ("legendary", lazy("legendary")), ("hidden", lazy("hidden")))
TIE_STATES = (
    ("active", lazy("holds")),
    ("resolved", lazy("resolved")),
    ("broken", lazy("broken")),
    ("evolved", lazy("has become another")),
)
TIE_VISIBILITIES = (("public", lazy("public")), ("acknowledged", lazy("known to both")), ("secret", lazy("secret")))


def _search(document: dict[str, Any]) -> str:
    words = [_("%(n)s messages") % {"n": document["scanDepth"]}] if document.get("scanDepth") is not None else []
    words += [_("%(n)s tokens") % {"n": document["tokenBudget"]}] if document.get("tokenBudget") is not None else []
    words += [_("recursive")] if document.get("recursive") else []
    return " · ".join(words) or _("as the chat says")


def _people(document: dict[str, Any]) -> str:
    people, ties = len(document.get("bindings") or []), len(document.get("relationships") or [])
    words = [ngettext("%(n)d person", "%(n)d people", people) % {"n": people}] if people else []
    words += [ngettext("%(n)d relationship", "%(n)d relationships", ties) % {"n": ties}] if ties else []
    return " · ".join(words) or _("none")


BINDINGS = Rows(
    "bindings",
    lazy("People of the book"),
    (
        Variant(
            "person",
            lazy("Person"),
            (
                Field(
                    "number",
                    lazy("Number"),
                    "number",
                    lazy("Entries name the person as {{char:number}}."),
                    "1",
                    default=None,
                    is_half=True,
                    is_required=True,
                ),
                Field("name", lazy("Name"), "line", "", "Mira", is_half=True, is_required=True),
                Field(
                    "character",
                    lazy("Character"),
                    "line",
                    lazy("Its slug, when it is one of the library."),
                    "mira",
                    default=None,
                    empty="null",
                    is_half=True,
                    names="character",
                ),
                Field(
                    "persona",
                    lazy("Persona"),
                    "line",
                    lazy("Its slug, when it is one of the library."),
                    "anna",
                    default=None,
                    empty="null",
                    is_half=True,
                    names="persona",
                ),
                Field("aliases", lazy("Other names"), "items", lazy("One a line."), default=[]),
                Field("summary", lazy("In one line"), "line"),
                Field("state", lazy("State"), "choice", default="active", choices=STATES, is_half=True),
                Field("visibility", lazy("Known as"), "choice", default="normal", choices=VISIBILITIES, is_half=True),
            ),
            {"name": ""},
        ),
    ),
    lambda row: f"{row.get('number', '?')} · {row.get('name') or '…'}",
    lambda row: beginning(row.get("summary"), row.get("character"), row.get("persona")),
)
RELATIONSHIPS = Rows(
    "relationships",
    lazy("Relationships"),
    (
        Variant(
            "tie",
            lazy("Relationship"),
            (
                Field("source", lazy("Who"), "number", lazy("A person's number."), "1", default=None, is_half=True),
                Field("target", lazy("To whom"), "number", lazy("A person's number."), "2", default=None, is_half=True),
                Field("type", lazy("What it is"), "line", "", "sister", is_required=True),
                Field("state", lazy("State"), "choice", default="active", choices=TIE_STATES, is_half=True),
                Field(
                    "visibility",
                    lazy("Who knows it"),
                    "choice",
                    default="public",
                    choices=TIE_VISIBILITIES,
                    is_half=True,
                ),
                Field("description", lazy("Description"), "text"),
                Field("reason", lazy("Why"), "text"),
            ),
            {"type": ""},
        ),
    ),
    lambda row: f"{row.get('source', '?')} → {row.get('target', '?')}",
    lambda row: beginning(row.get("type")),
)

LOREBOOK_SECTIONS: tuple[Section, ...] = (
    Section(
        "about",
        lazy("About"),
        lambda document: beginning(document.get("description")) or _("no description"),
        (
            Field("name", lazy("Name"), "line", lazy("How people read it in lists."), "The harbour"),
            Field("description", lazy("Description"), "text"),
            TAGS,
        ),
    ),
    Section(
        "search",
        lazy("Search"),
        _search,
        (
            Field(
                "scanDepth",
                lazy("Messages searched"),
                "number",
                lazy("From the newest on; empty: as the chat says."),
                "4",
                default=None,
                empty="null",
                is_half=True,
            ),
            Field(
                "tokenBudget",
                lazy("Token budget"),
                "number",
                lazy("For this book's entries; empty: no limit."),
                "1024",
                default=None,
                empty="null",
                is_half=True,
            ),
            Field(
                "recursive",
                lazy("Entries may call entries"),
                "boolean",
                default=None,
                empty="null",
                choices=YES_NO,
                is_half=True,
            ),
            Field("caseSensitive", lazy("Keys: large and small letters differ"), "flag", default=False),
            Field("wholeWords", lazy("Keys: whole words only"), "flag", default=False),
            Field("useRegex", lazy("Keys are patterns (RE2: no look-around)"), "flag", default=False),
            Field("groupScoring", lazy("Groups: the entry with most keys matched wins"), "flag", default=False),
        ),
        lazy("What holds for an entry that does not say otherwise."),
    ),
    Section("people", lazy("People"), _people, (BINDINGS, RELATIONSHIPS)),
)
