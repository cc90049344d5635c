"""What the form's templates show: sections, groups and fields, their texts and the messages that belong to each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from formats.web.field import Field, Group, Section
from formats.web.form import lookup, summaries
from formats.web.sections import SECTIONS
from formats.web.widgets import to_text
from neotavern.library.kinds import Finding

CODE = frozenset({"template", "jinja", "literal", "json", "lines", "tokens"})
LINES = frozenset({"line", "tags", "number"})
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

    @property
    def is_group(self) -> bool:
        """False; groups say True, and templates ask."""
        return False

    @property
    def name(self) -> str:
        """Name of the form control."""
        return f"d.{self.field.path}"

    @property
    def id(self) -> str:
        """Id of the form control."""
        return "f-" + self.field.path.replace(".", "-")

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
    def is_group(self) -> bool:
        """True; fields say False."""
        return True

    @property
    def is_default(self) -> bool:
        """True while it is switched off."""
        return not self.is_on

    @property
    def name(self) -> str:
        """Name of the switch."""
        return f"d.{self.group.path}"


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A section; `is_open` when it is a main one or something in it needs attention."""

    id: str
    title: Any
    intro: Any
    summary: str
    items: list[ShownField | ShownGroup]
    is_open: bool

    @property
    def is_empty(self) -> bool:
        """True when the document says nothing here that differs from the usual."""
        return all(item.is_default for item in self.items)


@dataclass(slots=True)
class Notes:
    """Messages by path; each is given to the nearest field, and what no field takes is left for the page's head."""

    findings: list[Finding] = field(default_factory=list)
    left: list[Finding] = field(default_factory=list)

    @classmethod
    def of(cls, findings: Sequence[Finding]) -> Notes:
        """Return notes of which none is placed yet."""
        return cls(list(findings), list(findings))

    def take(self, path: str) -> list[Note]:
        """Return the messages at `path` or below it."""
        here = [finding for finding in self.left if _is_below(finding.path, path)]
        self.left = [finding for finding in self.left if finding not in here]
        return [Note(finding.severity, finding.message, where(finding.line, finding.column)) for finding in here]


def _is_below(path: str, field_path: str) -> bool:
    return path == field_path or path.startswith((f"{field_path}.", f"{field_path}[", f"{field_path}/"))


def where(line: int | None, column: int | None) -> str:
    """Return a place in words."""
    if line is None:
        return ""
    if column is None:
        return _("Line %(line)d") % {"line": line}
    return _("Line %(line)d, column %(column)d") % {"line": line, "column": column}


def show(
    document: dict[str, Any],
    notes: Notes,
    *,
    texts: Mapping[str, str] | None = None,
    opened: Sequence[str] = (),
    sections: Sequence[Section] = SECTIONS,
) -> list[ShownSection]:
    """Return the sections of the form for `document`; `texts` are fields shown as typed, because they mean nothing."""
    lines = summaries(document, sections)
    shown = []
    for section in sections:
        items = [_item(item, document, notes, texts or {}) for item in section.items]
        is_bad = any(item.notes or _group_is_bad(item) for item in items)
        is_open = section.id in opened or is_bad
        shown.append(ShownSection(section.id, section.title, section.intro, lines[section.id], items, is_open))
    return shown


def _group_is_bad(item: ShownField | ShownGroup) -> bool:
    return isinstance(item, ShownGroup) and any(field.notes for field in item.fields)


def _item(
    item: Field | Group, document: dict[str, Any], notes: Notes, texts: Mapping[str, str]
) -> ShownField | ShownGroup:
    if isinstance(item, Field):
        return _field(item, document, notes, texts)
    fields = [_field(one, document, notes, texts) for one in item.fields]
    return ShownGroup(item, isinstance(document.get(item.path), dict), fields, notes.take(item.path))


def _field(item: Field, document: dict[str, Any], notes: Notes, texts: Mapping[str, str]) -> ShownField:
    value = stored_value(document, item)
    text = texts[item.path] if item.path in texts else to_text(item, value)
    return ShownField(item, text, item.widget == "flag" and value is True, notes.take(item.path))


def stored_value(document: dict[str, Any], item: Field) -> Any:
    """Return the value of a field, its default when the document does not have it."""
    value = lookup(document, item.path)
    known = isinstance(value, str | int | float | list | dict) or value is None
    return value if known else item.default
