"""The fields of presets and of prompt configs; the pages themselves are those that every kind has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from formats.stored import preset
from formats.web.activation import buttons
from formats.web.field import Section
from formats.web.form import read
from formats.web.sections.presets import PRESET_SECTIONS
from formats.web.shown import Notes, show
from neotavern.accounts.actor import Actor
from neotavern.library.kinds import Finding, Kind
from neotavern.library.web import editors
from neotavern.library.web.editors import Draft, Shown


@dataclass(frozen=True, slots=True)
class FieldEditor:
    """Edits documents of a kind in the sections of a form. Keys that no field has stay as they are."""

    kind: str
    sections: tuple[Section, ...]

    def start(self) -> dict[str, Any]:
        """Return the document of a new object."""
        return {"kind": self.kind, "version": 1, "id": "", "name": ""}

    def read(self, post: Mapping[str, str], base: dict[str, Any]) -> Draft:
        """Return `base` with what the form says."""
        return read(post, base, self.sections)

    def show(self, document: dict[str, Any], findings: Sequence[Finding], texts: Mapping[str, str]) -> Shown:
        """Return the sections, each finding at its field."""
        notes = Notes.of(findings)
        opened = [section.id for section in self.sections]
        sections = show(document, notes, texts=texts, opened=opened, sections=self.sections)
        return Shown("formats/_sections.html", {"sections": sections}, notes.left)


def register() -> None:
    """Let presets be edited as fields, and let pages of what can be active have the buttons for it."""
    editors.register(preset.NAME, FieldEditor(preset.NAME, PRESET_SECTIONS))
    editors.register_extras(_defaults)


def _defaults(actor: Actor, kind: Kind, slug: str) -> dict[str, Any]:
    return {"defaults": buttons(actor, kind, slug)}
