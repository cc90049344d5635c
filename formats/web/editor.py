"""The editor of every kind that is edited as fields; the pages themselves are those that every kind has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from formats.web.field import Rows, Section
from formats.web.form import read
from formats.web.rows import applied
from formats.web.shown import Notes, show
from neotavern.library.kinds import Finding
from neotavern.library.web.editors import Draft, Shown


@dataclass(frozen=True, slots=True)
class FieldEditor:
    """Edits documents of a kind in the sections of a form. Keys that no field has stay as they are.

    `opened` names the sections that are open at first, all of them when it is None; the template gets
    `context` too.
    """

    kind: str
    sections: tuple[Section, ...]
    first: Mapping[str, Any] = field(default_factory=dict)
    opened: tuple[str, ...] | None = None
    context: Mapping[str, Any] = field(default_factory=dict)

    def start(self) -> dict[str, Any]:
        """Return the document of a new object."""
        return {"kind": self.kind, "version": 1, "id": "", "name": "", **self.first}

    def read(self, post: Mapping[str, str], base: dict[str, Any]) -> Draft:
        """Return `base` with what the form says, after what its button says."""
        return read(applied(post, self.sections), base, self.sections)

    def show(self, document: dict[str, Any], findings: Sequence[Finding], texts: Mapping[str, str]) -> Shown:
        """Return the sections, each finding at its field."""
        notes = Notes.of(findings)
        opened = [section.id for section in self.sections] if self.opened is None else self.opened
        sections = show(document, notes, texts=texts, opened=opened, sections=self.sections)
        context = {"sections": sections, "named": named_kinds(self.sections), **self.context}
        return Shown("formats/_sections.html", context, notes.left)


def named_kinds(sections: Sequence[Section]) -> list[str]:
    """Return the kinds whose objects some field names, so that the page can offer them."""
    items = [item for section in sections for item in section.items]
    rows = [field for item in items if isinstance(item, Rows) for one in item.variants for field in one.fields]
    fields = [field for section in sections for field in section.all_fields()] + rows
    return sorted({one.names for one in fields if one.names})
