"""Sections of the form of one lore entry."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from chats.web.editors.words import ROLES, TRIGGERS, beginning
from formats.web.editor import FieldEditor
from formats.web.field import Empty, Field, Group, Section

PLACES = (
    ("before_character", lazy("before the character")),
    ("after_character", lazy("after the character")),
    ("note_top", lazy("above the author's note")),
    ("note_bottom", lazy("below the author's note")),
    ("at_depth", lazy("among the messages")),
    ("examples_top", lazy("above the examples")),
    ("examples_bottom", lazy("below the examples")),
)
LOGICS = (
    ("and_any", lazy("any of them is there too")),
    ("and_all", lazy("all of them are there too")),
    ("not_any", lazy("none of them is there")),
    ("not_all", lazy("not all of them are there")),
)
SORTS = (("world", lazy("the world")), ("character", lazy("a person")), ("history", lazy("what happened")))
SCANNED = (
    ("persona", lazy("persona")),
    ("description", lazy("description")),
    ("personality", lazy("personality")),
    ("character_note", lazy("character's note")),
    ("scenario", lazy("scenario")),
    ("creator_notes", lazy("creator's notes")),
)
AS_BOOK = (("", lazy("as the book says")), ("true", lazy("yes")), ("false", lazy("no")))


def _number(path: str, label: Any, help_: Any = "", example: str = "", default: int | None = None) -> Field:
    empty: Empty = "null" if default is None else "text"
    return Field(path, label, "number", help_, example, default=default, empty=empty, is_half=True)


def _flag(path: str, label: Any, *, default: bool = False) -> Field:
    return Field(path, label, "flag", default=default)


def _as_book(path: str, label: Any) -> Field:
    return Field(path, label, "boolean", default=None, empty="null", choices=AS_BOOK, is_half=True)


def _keys(document: dict[str, Any]) -> str:
    if document.get("constant"):
        return _("always")
    return beginning(", ".join(map(str, document.get("keys") or []))) or _("none: nothing calls it")


def _place(document: dict[str, Any]) -> str:
    place = str(dict(PLACES).get(document.get("position", "before_character"), ""))
    return f"{place} · {_('order %(n)s') % {'n': document.get('order', 100)}}"


def _when(document: dict[str, Any]) -> str:
    words = [_("pinned")] if document.get("pinned") else []
    if document.get("probability", 100) != 100:
        words.append(f"{document['probability']} %")
    for key, text in (("sticky", _("sticky %(n)s")), ("cooldown", _("cooldown %(n)s")), ("delay", _("delay %(n)s"))):
        words += [text % {"n": document[key]}] if document.get(key) else []
    return " · ".join(words) or _("whenever a key calls it")


def _recursion(document: dict[str, Any]) -> str:
    words = [_("not called by entries")] if document.get("excludeRecursion") else []
    words += [_("calls no entries")] if document.get("preventRecursion") else []
    words += [_("waits for recursion")] if document.get("delayUntilRecursion") else []
    return " · ".join(words) or _("as the book says")


def _groups(document: dict[str, Any]) -> str:
    return ", ".join(map(str, document.get("groups") or [])) or _("none")


def _more(document: dict[str, Any]) -> str:
    held = len(document.get("extensions") or {})
    return _("kept of other programs: %(n)d") % {"n": held} if held else ""


ENTRY_SECTIONS: tuple[Section, ...] = (
    Section(
        "entry",
        lazy("Entry"),
        lambda document: beginning(document.get("name"), document.get("content")) or _("nothing yet"),
        (
            Field(
                "name", lazy("Name"), "line", lazy("How people read it; the prompt does not have it."), "The harbour"
            ),
            Field(
                "content", lazy("Text"), "text", lazy("What the prompt gets. Macros are allowed."), "The harbour has …"
            ),
            _flag("enabled", lazy("Takes part"), default=True),
            _flag("constant", lazy("Constant: in without any key")),
            _flag("pinned", lazy("Pinned: in without any key, and no budget leaves it out")),
        ),
    ),
    Section(
        "keys",
        lazy("Keys"),
        _keys,
        (
            Field("keys", lazy("Keys"), "items", lazy("One a line; /like this/i is a pattern."), "harbour", default=[]),
            Field("secondaryKeys", lazy("Secondary keys"), "items", lazy("One a line."), "storm", default=[]),
            Field("secondaryLogic", lazy("Of the secondary keys"), "choice", default="and_any", choices=LOGICS),
            _flag("selective", lazy("Secondary keys count"), default=True),
            _as_book("wholeWords", lazy("Whole words only")),
            _as_book("caseSensitive", lazy("Large and small letters differ")),
            _as_book("useRegex", lazy("Keys are patterns")),
            _number("scanDepth", lazy("Messages searched"), lazy("Empty: as the book says."), "4"),
            Field("alsoScan", lazy("Also searched"), "set", default=[], choices=SCANNED),
        ),
    ),
    Section(
        "place",
        lazy("Place"),
        _place,
        (
            Field("position", lazy("Stands"), "choice", default="before_character", choices=PLACES, is_half=True),
            Field(
                "role",
                lazy("Role"),
                "choice",
                lazy("Among the messages."),
                default="system",
                choices=ROLES,
                is_half=True,
            ),
            _number("depth", lazy("Messages after it"), lazy("Among the messages: 0 is behind the newest."), "4", 4),
            _number("order", lazy("Order"), lazy("A lower one stands earlier."), "100", 100),
            _number("priority", lazy("Priority"), lazy("A higher one is kept when the budget is short."), "0", 0),
            _flag("ignoreBudget", lazy("The budget does not count it")),
        ),
    ),
    Section(
        "when",
        lazy("When"),
        _when,
        (
            Field("probability", lazy("Probability"), "decimal", lazy("In percent."), "100", default=100, is_half=True),
            _number("sticky", lazy("Sticky"), lazy("Messages for which it stays once it is in."), "3"),
            _number("cooldown", lazy("Cooldown"), lazy("Messages for which it stays out afterwards."), "5"),
            _number("delay", lazy("Delay"), lazy("Messages that a chat must have first."), "10"),
            Field(
                "triggers",
                lazy("Only for"),
                "set",
                lazy("No box ticked: for every kind of generation."),
                default=[],
                choices=TRIGGERS,
            ),
            Field(
                "characterFilter.names",
                lazy("Only these speakers"),
                "items",
                lazy("One a line: names or slugs."),
                default=[],
                is_half=True,
            ),
            Field(
                "characterFilter.tags",
                lazy("Only speakers with these tags"),
                "items",
                lazy("One a line."),
                default=[],
                is_half=True,
            ),
            _flag("characterFilter.exclude", lazy("All speakers but these")),
        ),
    ),
    Section(
        "recursion",
        lazy("Recursion"),
        _recursion,
        (
            _flag("excludeRecursion", lazy("Texts of other entries do not call it")),
            _flag("preventRecursion", lazy("Its text calls no others")),
            _number(
                "delayUntilRecursion", lazy("Waits for recursion"), lazy("0: not; 1: until the first step; …"), "0", 0
            ),
        ),
    ),
    Section(
        "groups",
        lazy("Groups"),
        _groups,
        (
            Field(
                "groups",
                lazy("Groups"),
                "items",
                lazy("One a line; of each group one entry is in."),
                "weather",
                default=[],
            ),
            _number("groupWeight", lazy("Weight"), lazy("Its share of the chance among the group."), "100", 100),
            _as_book("groupScoring", lazy("Most keys matched wins")),
            _flag("groupOverride", lazy("Wins by order instead of by chance")),
        ),
    ),
    Section(
        "more",
        lazy("More"),
        _more,
        (
            Field("kind", lazy("It is about"), "choice", default="world", choices=SORTS, is_half=True),
            Field("category", lazy("Category"), "line", lazy("For people."), "places", is_half=True),
            _number("binding", lazy("Person"), lazy("A number of the book's people, for entries about one."), "1"),
            Group(
                "date",
                lazy("It has a date"),
                (
                    Field("date.year", lazy("Year"), "number", "", "1127", default=None, empty="absent", is_half=True),
                    Field("date.month", lazy("Month"), "number", "", "4", default=None, empty="absent", is_half=True),
                    Field("date.day", lazy("Day"), "number", "", "12", default=None, empty="absent", is_half=True),
                ),
            ),
        ),
    ),
)

ENTRY_EDITOR = FieldEditor("lore-entry", ENTRY_SECTIONS, opened=("entry", "keys", "place"))
NEW: dict[str, Any] = {"name": "", "keys": [], "content": ""}
