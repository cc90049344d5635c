"""Sections of the character form: every field of a V2 or V3 card. What programs keep in `extensions` stays as it is."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from chats.web.editors.words import LOREBOOKS, ROLES, TAGS, beginning
from formats.web.field import Field, Rows, Section, Variant


def _text(path: str, label: Any, help_: Any = "", example: str = "") -> Field:
    return Field(path, label, "text", help_, example)


def _greetings(path: str, label: Any, help_: Any) -> Rows:
    one = Variant("greeting", lazy("Greeting"), (_text("text", lazy("Greeting")),))
    return Rows(path, label, (one,), lambda row: beginning(row.get("text")), help=help_, shape="texts")


def _about(document: dict[str, Any]) -> str:
    words = [str(document.get("creator") or ""), ", ".join(document.get("tags") or [])]
    return " · ".join(word for word in words if word) or _("no creator, no tags")


def _greetings_line(document: dict[str, Any]) -> str:
    first = beginning(document.get("firstMes"))
    more = len(document.get("alternateGreetings") or []) + len(document.get("groupOnlyGreetings") or [])
    others = ngettext("%(n)d more", "%(n)d more", more) % {"n": more} if more else ""
    return " · ".join(word for word in (first, others) if word) or _("none")


def _prompts(document: dict[str, Any]) -> str:
    return beginning(document.get("systemPrompt"), document.get("postHistoryInstructions")) or _("those of the team")


def _note(document: dict[str, Any]) -> str:
    note = (document.get("extensions") or {}).get("depth_prompt") or {}
    return beginning(note.get("prompt")) or _("none")


def _lore(document: dict[str, Any]) -> str:
    own = (document.get("characterBook") or {}).get("entries") or []
    entries = len(own)
    words = (
        [ngettext("%(n)d entry of its own", "%(n)d entries of its own", entries) % {"n": entries}] if entries else []
    )
    return " · ".join([*words, *(document.get("lorebooks") or [])]) or _("none")


def _rest(document: dict[str, Any]) -> str:
    held = len(document.get("extensions") or {}) + len(document.get("extra") or {})
    words = [str(document.get("characterVersion") or "")]
    words += [_("kept of other programs: %(n)d") % {"n": held}] if held else []
    return " · ".join(word for word in words if word) or _("nothing")


ASSETS = Rows(
    "assets",
    lazy("Pictures and files"),
    (
        Variant(
            "asset",
            lazy("File"),
            (
                Field("type", lazy("Type"), "line", "", "icon", is_half=True),
                Field("name", lazy("Name"), "line", "", "main", is_half=True),
                Field("uri", lazy("Address"), "line", "", "ccdefault:"),
                Field("ext", lazy("File extension"), "line", "", "png", is_half=True),
            ),
            {"type": "icon", "uri": "", "name": "", "ext": ""},
        ),
    ),
    lambda row: row.get("name") or row.get("type") or "",
    lambda row: beginning(row.get("uri")),
    lazy("What a V3 card names; the prompt has none of it."),
)
NOTES_BY_LANGUAGE = Rows(
    "creatorNotesMultilingual",
    lazy("Notes by language"),
    (
        Variant(
            "note",
            lazy("Language"),
            (
                Field("name", lazy("Language"), "line", lazy("Two letters."), "fr", is_half=True),
                _text("text", lazy("Notes")),
            ),
            {"name": "", "text": ""},
        ),
    ),
    lambda row: row.get("name") or "",
    lambda row: beginning(row.get("text")),
    shape="map",
)

CHARACTER_SECTIONS: tuple[Section, ...] = (
    Section(
        "about",
        lazy("About"),
        _about,
        (
            Field(
                "name", lazy("Name"), "line", lazy("Whom {{char}} stands for."), "Mira", is_required=True, is_half=True
            ),
            Field(
                "nickname", lazy("Nickname"), "line", lazy("Stands for {{char}} instead, where given."), is_half=True
            ),
            Field("aliases", lazy("Other names"), "items", lazy("One a line."), default=[]),
            TAGS,
        ),
    ),
    Section(
        "person",
        lazy("Who it is"),
        lambda document: beginning(document.get("description"), document.get("personality")) or _("nothing yet"),
        (
            _text(
                "description", lazy("Description"), lazy("Looks, past, manners. Macros are allowed."), "{{char}} is …"
            ),
            _text("personality", lazy("Personality"), lazy("In a few words."), "dry, patient, loyal"),
            _text("scenario", lazy("Scenario"), lazy("Where the chat begins.")),
        ),
    ),
    Section(
        "greetings",
        lazy("Greetings"),
        _greetings_line,
        (
            _text("firstMes", lazy("Greeting"), lazy("Opens a stored chat.")),
            _greetings(
                "alternateGreetings", lazy("Other greetings"), lazy("A chat may open with one of these instead.")
            ),
            _greetings("groupOnlyGreetings", lazy("Greetings for groups"), lazy("For chats with several characters.")),
        ),
    ),
    Section(
        "examples",
        lazy("Examples"),
        lambda document: beginning(document.get("mesExample")) or _("none"),
        (
            _text(
                "mesExample",
                lazy("Examples of dialogue"),
                lazy("Each dialogue begins after a line with the mark <START>."),
                "<START>\n{{user}}: Hello.\n{{char}}: You are late.",
            ),
        ),
    ),
    Section(
        "prompts",
        lazy("Instructions"),
        _prompts,
        (
            _text(
                "systemPrompt",
                lazy("System prompt"),
                lazy("In place of the team's main prompt; {{original}} is that one."),
            ),
            _text(
                "postHistoryInstructions",
                lazy("Instructions after the history"),
                lazy("In place of the team's; {{original}} is that one."),
            ),
        ),
    ),
    Section(
        "note",
        lazy("Character's note"),
        _note,
        (
            Field(
                "extensions.depth_prompt.prompt",
                lazy("Note"),
                "text",
                lazy("Stands among the newest messages."),
                empty="absent",
            ),
            Field(
                "extensions.depth_prompt.depth",
                lazy("Messages after it"),
                "number",
                lazy("0: behind the newest message."),
                "4",
                default=4,
                is_half=True,
            ),
            Field(
                "extensions.depth_prompt.role",
                lazy("Role"),
                "choice",
                choices=ROLES,
                default="system",
                is_half=True,
            ),
        ),
    ),
    Section(
        "lore",
        lazy("Lore"),
        _lore,
        (
            LOREBOOKS,
            Field(
                "characterBook",
                lazy("Book of the card"),
                "json",
                lazy("As the card gives it. A lorebook of the library is edited entry by entry."),
                default=None,
                empty="null",
            ),
        ),
    ),
    Section(
        "card",
        lazy("Card"),
        _rest,
        (
            Field("creator", lazy("Creator"), "line", is_half=True),
            Field("characterVersion", lazy("Version"), "line", "", "1.2", is_half=True),
            _text("creatorNotes", lazy("Notes of the creator"), lazy("For people; the prompt has none of it.")),
            NOTES_BY_LANGUAGE,
            Field("source", lazy("Sources"), "items", lazy("One a line: addresses or ids."), default=[]),
            Field(
                "creationDate",
                lazy("Made"),
                "number",
                lazy("Seconds since 1970."),
                default=None,
                empty="null",
                is_half=True,
            ),
            Field(
                "modificationDate",
                lazy("Changed"),
                "number",
                lazy("Seconds since 1970."),
                default=None,
                empty="null",
                is_half=True,
            ),
            ASSETS,
        ),
        lazy("What other programs keep in a card stays as it is; the view as JSON shows it."),
    ),
)
