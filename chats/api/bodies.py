"""What a body says besides the entries that it carries."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from neotavern.ground.validation import validation_refusal
from neotavern.ground.wire import WireModel

NAMES = ("note", "baseRevision", "base_revision")


class Wish(WireModel):
    """A note, and the revision that the caller changed."""

    note: str | None = None
    base_revision: int | None = None


def pulled(body: dict[str, Any]) -> tuple[Wish, dict[str, Any]]:
    """Return note and base of a body, and the rest of it. Raises VALIDATION."""
    try:
        wish = Wish.model_validate({key: body[key] for key in NAMES if key in body}, strict=True)
    except ValidationError as error:
        raise validation_refusal([dict(fault) for fault in error.errors(include_url=False)]) from error
    return wish, {key: value for key, value in body.items() if key not in NAMES}


def note_of(wish: Wish) -> str:
    """Return the note, empty for none."""
    return wish.note or ""
