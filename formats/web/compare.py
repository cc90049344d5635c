"""Two texts of one format, field by field, where they differ, words marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from formats.web.form import lookup
from formats.web.sections import SECTIONS
from formats.web.shown import stored_value
from formats.web.widgets import to_text
from neotavern.library.models import Revision
from neotavern.library.web.marks import Stretch, side_by_side


@dataclass(frozen=True, slots=True)
class Difference:
    """A field and its two texts as facing lines, theirs on the left."""

    path: str
    label: str
    stretches: list[Stretch]
    kind: str = "changed"


@dataclass(frozen=True, slots=True)
class Theirs:
    """The revision that someone else saved, and where it differs."""

    revision: Revision
    differences: list[Difference]


def compare(mine: dict[str, Any], theirs: dict[str, Any]) -> list[Difference]:
    """Return the fields that differ, in the order of the form."""
    fields = [field for section in SECTIONS for field in section.all_fields()]
    return [
        Difference(
            field.path,
            str(field.label),
            side_by_side(to_text(field, stored_value(theirs, field)), to_text(field, stored_value(mine, field))),
        )
        for field in fields
        if lookup(mine, field.path) != lookup(theirs, field.path)
    ]
