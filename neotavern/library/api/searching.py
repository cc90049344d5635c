"""GET /search: what a palette asks at every key stroke."""

from __future__ import annotations

from typing import Any

from ninja import Router
from ninja.params.functions import Query
from pydantic import BaseModel

from neotavern.accounts.auth import ApiRequest
from neotavern.ground.http import ERRORS
from neotavern.library.api.access import READ
from neotavern.library.finding import MOST, find

router = Router(tags=["Search"])


class HitOut(BaseModel):
    """A match: its place in the API is `/{collection}/{slug}`."""

    kind: str
    collection: str
    slug: str
    name: str
    description: str
    builtin: bool


class HitsOut(BaseModel):
    """The best matches first."""

    items: list[HitOut]


@router.get("/search", operation_id="search", response={200: HitsOut, **ERRORS(403, 422)}, auth=READ, by_alias=True)
def search(request: ApiRequest, q: str = "", limit: int = Query(20, ge=1, le=MOST)) -> Any:
    """Find objects of every kind: the team's and the built-ins, names that begin with the text before the rest."""
    return {"items": find(request.actor, q, limit=limit)}
