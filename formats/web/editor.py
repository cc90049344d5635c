"""The editor of every kind that is edited as fields; the pages themselves are those that every kind has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from formats.web.field import Section
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
        return Shown("formats/_sections.html", {"sections": sections, **self.context}, notes.left)
