"""Two texts of one format, field by field, where they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from formats.web.field import Field
from formats.web.form import lookup
from formats.web.sections import SECTIONS
from formats.web.shown import stored_value
from formats.web.widgets import to_text
from neotavern.library.models import Revision


@dataclass(frozen=True, slots=True)
class Difference:
    """A field and its two texts."""

    field: Field
    mine: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Theirs:
    """The revision that someone else saved, and where it differs."""

    revision: Revision
    differences: list[Difference]


def compare(mine: dict[str, Any], theirs: dict[str, Any]) -> list[Difference]:
    """Return the fields that differ, in the order of the form."""
    fields = [field for section in SECTIONS for field in section.all_fields()]
    return [
        Difference(field, to_text(field, stored_value(mine, field)), to_text(field, stored_value(theirs, field)))
        for field in fields
        if lookup(mine, field.path) != lookup(theirs, field.path)
    ]
