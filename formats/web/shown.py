"""A document as the sections of a form: the text of each field, and each finding at the field that it is about."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from formats.web.field import Field, Item, Rows, Section
from formats.web.form import lookup, summaries
from formats.web.rows import row_name, rows_of
from formats.web.sections import SECTIONS
from formats.web.shown_items import Note, ShownField, ShownGroup, ShownItem, ShownRow, ShownRows, ShownSection
from formats.web.widgets import to_text
from neotavern.library.kinds import Finding

__all__ = ["Note", "Notes", "ShownField", "ShownGroup", "ShownRows", "ShownSection", "show", "stored_value", "where"]


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


def _group_is_bad(item: ShownItem) -> bool:
    if isinstance(item, ShownRows):
        return any(row.is_bad for row in item.shown)
    return isinstance(item, ShownGroup) and any(field.notes for field in item.fields)


def _item(item: Item, document: dict[str, Any], notes: Notes, texts: Mapping[str, str]) -> ShownItem:
    if isinstance(item, Field):
        return _field(item, document, notes, texts)
    if isinstance(item, Rows):
        return _rows(item, document, notes, texts)
    fields = [_field(one, document, notes, texts) for one in item.fields]
    return ShownGroup(item, isinstance(document.get(item.path), dict), fields, notes.take(item.path))


def _field(item: Field, document: dict[str, Any], notes: Notes, texts: Mapping[str, str]) -> ShownField:
    value = stored_value(document, item)
    text = texts[item.path] if item.path in texts else to_text(item, value)
    is_on = item.widget == "flag" and value is True
    return ShownField(item, text, is_on, notes.take(item.path), ticked=_ticked(item, value))


def _ticked(item: Field, value: Any) -> list[str]:
    return [str(one) for one in value] if item.widget == "set" and isinstance(value, list) else []


def _rows(rows: Rows, document: dict[str, Any], notes: Notes, texts: Mapping[str, str]) -> ShownRows:
    found = rows_of(document, rows)
    first_of_tail = len(found) - rows.tail
    shown = [
        _row(rows, row, row_name(rows, row, at), _RowNotes(notes, texts, rows, at), is_tail=at >= first_of_tail)
        for at, row in enumerate(found)
    ]
    none = _RowNotes(Notes(), {}, rows, -1)
    blanks = [_row(rows, dict(one.start), f"new-{one.name}", none) for one in rows.variants if not one.is_fixed]
    is_usual = rows.usual is not None and found == [dict(row) for row in rows.usual]
    return ShownRows(rows, shown, blanks, notes.take(rows.path), is_usual)


@dataclass(frozen=True, slots=True)
class _RowNotes:
    """The messages and unreadable texts of one row of a list."""

    notes: Notes
    texts: Mapping[str, str]
    rows: Rows
    at: int

    def take(self, path: str, variant: str) -> list[Note]:
        """Return the messages of a field; where sorts differ, pydantic puts the sort's name before it."""
        place = f"{self.rows.path}[{self.at}]"
        if self.rows.shape == "texts":
            return self.notes.take(place)
        return self.notes.take(f"{place}.{path}") + self.notes.take(f"{place}.{variant}.{path}")

    def text(self, path: str) -> str | None:
        """Return what was typed, where it means nothing."""
        return self.texts.get(f"{self.rows.path}[{self.at}].{path}")


def _row(rows: Rows, row: dict[str, Any], name: str, around: _RowNotes, *, is_tail: bool = False) -> ShownRow:
    variant = rows.variant(row)
    scope = f"{rows.path}.{name}."

    def shown(item: Field) -> ShownField:
        value, typed = stored_value(row, item), around.text(item.path)
        text = to_text(item, value) if typed is None else typed
        is_on = item.widget == "flag" and value is True
        return ShownField(item, text, is_on, around.take(item.path, variant.name), scope, _ticked(item, value))

    lead = shown(variant.lead) if variant.lead is not None else None
    fields = [shown(item) for item in variant.fields]
    left = around.notes.take(f"{rows.path}[{around.at}]")
    raw = json.dumps(row, ensure_ascii=False)
    title = str(rows.title(row) or variant.label)
    return ShownRow(name, rows.path, variant, raw, title, rows.summary(row), lead, fields, left, is_tail)


def stored_value(document: dict[str, Any], item: Field) -> Any:
    """Return the value of a field, its default when the document does not have it."""
    value = lookup(document, item.path)
    known = isinstance(value, str | int | float | list | dict) or value is None
    return value if known else item.default
