"""What the form's templates show: sections, groups, lists and fields, with the messages that belong to each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from formats.web.field import Field, Group, Rows, Variant
from formats.web.rows import RAW
from formats.web.widgets import to_text

CODE = frozenset({"template", "jinja", "literal", "json", "lines", "tokens"})
LINES = frozenset({"line", "tags", "number", "decimal"})
EDITORS = {
    "template": "handlebars",
    "jinja": "jinja",
    "literal": "literal",
    "json": "plain",
    "lines": "literal",
    "tokens": "literal",
}
MOST_ROWS = 14


@dataclass(frozen=True, slots=True)
class Note:
    """A message beside a field."""

    severity: str
    message: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class ShownField:
    """One field as the page shows it."""

    field: Field
    text: str
    is_on: bool
    notes: list[Note]
    scope: str = ""
    ticked: Sequence[str] = ()

    @property
    def shape(self) -> str:
        """Which template shows it."""
        return "field"

    @property
    def place(self) -> str:
        """Where it stands in the document, as the form names it."""
        return f"{self.scope}{self.field.path}"

    @property
    def name(self) -> str:
        """Name of the form control."""
        return f"d.{self.place}"

    @property
    def id(self) -> str:
        """Id of the form control."""
        return "f-" + self.place.replace(".", "-")

    @property
    def boxes(self) -> list[tuple[str, Any, bool]]:
        """Value, words and state of each box of a set."""
        return [(value, words, value in self.ticked) for value, words in self.field.choices]

    @property
    def is_code(self) -> bool:
        """True for text whose every character counts."""
        return self.field.widget in CODE

    @property
    def is_choice(self) -> bool:
        """True for one of a few values."""
        return self.field.widget in ("choice", "boolean")

    @property
    def is_line(self) -> bool:
        """True for a value that one line holds."""
        return self.field.widget in LINES

    @property
    def is_default(self) -> bool:
        """True when the field says what the document means without it: a read-only page leaves it out."""
        if self.field.widget == "set":
            return not self.ticked
        if self.field.widget == "flag":
            return self.is_on is (self.field.default is True)
        return not self.is_on and self.text in ("", to_text(self.field, self.field.default))

    @property
    def editor(self) -> str:
        """Which editor the script puts in front of the text area; empty for none."""
        return EDITORS.get(self.field.widget, "")

    @property
    def rows(self) -> int:
        """Lines of the text area."""
        least = 3 if self.field.widget in ("template", "json", "text") and self.text else 1
        return max(least, min(self.text.count("\n") + 1, MOST_ROWS))

    @property
    def lines(self) -> int:
        """Lines of the text area of a row that has its fields side by side."""
        return min(self.text.count("\n") + 1, MOST_ROWS)

    @property
    def is_bad(self) -> bool:
        """True when something here stops the document from being used."""
        return any(note.severity == "error" for note in self.notes)


@dataclass(frozen=True, slots=True)
class ShownGroup:
    """A switch with fields."""

    group: Group
    is_on: bool
    fields: list[ShownField]
    notes: list[Note]

    @property
    def shape(self) -> str:
        """Which template shows it."""
        return "group"

    @property
    def is_default(self) -> bool:
        """True while it is switched off."""
        return not self.is_on

    @property
    def name(self) -> str:
        """Name of the switch."""
        return f"d.{self.group.path}"


@dataclass(frozen=True, slots=True)
class ShownRow:
    """One row of a list: its name in the form, what it was, its fields. A blank one is what a new row starts as."""

    name: str
    path: str
    variant: Variant
    raw: str
    title: str
    summary: str
    lead: ShownField | None
    fields: list[ShownField]
    notes: list[Note]
    is_tail: bool = False

    @property
    def raw_name(self) -> str:
        """Name of the hidden field with what the row was."""
        return f"d.{self.path}.{self.name}.{RAW}"

    @property
    def is_bad(self) -> bool:
        """True when something in the row needs attention: then it is open."""
        return bool(self.notes) or any(one.notes for one in self.fields)


@dataclass(frozen=True, slots=True)
class ShownRows:
    """A list with its rows, and a blank row of each variant that can be added."""

    rows: Rows
    shown: list[ShownRow]
    blanks: list[ShownRow]
    notes: list[Note]
    is_usual: bool

    @property
    def shape(self) -> str:
        """Which template shows it."""
        return "rows"

    @property
    def name(self) -> str:
        """Name of the hidden field with the order."""
        return f"d.{self.rows.path}"

    @property
    def order(self) -> str:
        """The names of the rows."""
        return " ".join(row.name for row in self.shown)

    @property
    def is_default(self) -> bool:
        """True while the document says nothing of its own here."""
        return self.is_usual or not self.shown


ShownItem = ShownField | ShownGroup | ShownRows


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A section; `is_open` when it is a main one or something in it needs attention."""

    id: str
    title: Any
    intro: Any
    summary: str
    items: list[ShownItem]
    is_open: bool

    @property
    def is_empty(self) -> bool:
        """True when the document says nothing here that differs from the usual."""
        return all(item.is_default for item in self.items)
