"""`POST /formats/find`: from a model's name or chat template to a format of the catalogue."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Router, Schema
from pydantic import Field

from formats.services.finding import find_formats
from neotavern.accounts.auth import ApiRequest
from neotavern.ground.http import ERRORS
from neotavern.ground.wire import WireModel
from neotavern.library.api.access import READ

router = Router(tags=["Formats"])


class FindIn(WireModel):
    """What is known of a model: one of the two is enough."""

    chat_template: str | None = Field(default=None, description="Jinja source, or a whole tokenizer_config.json")
    model: str | None = Field(default=None, description="A model's name in any spelling")


class MatchOut(Schema):
    """A format that fits. `differs` says where it prints something else; null when nowhere was found."""

    slug: str
    how: Literal["hash", "name", "probe"]
    differs: str | None


class FindOut(Schema):
    """Every format that fits, best first."""

    matches: list[MatchOut]


@router.post("/find", operation_id="formats_find", response={200: FindOut, **ERRORS(403, 415, 422)}, auth=READ)
def find(request: ApiRequest, body: FindIn) -> Any:
    """Find the format of the catalogue that renders what a chat template or a model renders."""
    found = find_formats(body.chat_template or "", body.model or "")
    return {"matches": [match.wire() for match in found]}
