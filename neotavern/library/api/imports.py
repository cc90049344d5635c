"""GET /imports and POST /imports/{id}/undo: what was imported, and taking it back."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Router
from ninja.params.functions import Query
from pydantic import BaseModel

from neotavern.accounts.auth import ApiRequest
from neotavern.ground.http import ERRORS
from neotavern.ground.limits import MAX_PAGE_SIZE, PAGE_SIZE
from neotavern.library import services
from neotavern.library.api.access import ADMINISTER, READ
from neotavern.library.listing import list_imports

router = Router(tags=["Import"])


class BatchOut(BaseModel):
    """One import: how many of its documents became what."""

    id: int
    createdAt: str
    createdBy: str | None
    undoneAt: str | None
    counts: dict[str, int]


class BatchesOut(BaseModel):
    """Imports, newest first."""

    items: list[BatchOut]
    nextCursor: str | None


class UndoneOut(BaseModel):
    """What became of one object; `error` says why it was kept."""

    kind: str
    slug: str
    action: Literal["archived", "restored", "kept"]
    error: dict[str, Any] | None


class UndoOut(BaseModel):
    """What became of each object of the import."""

    items: list[UndoneOut]


@router.get(
    "/imports", operation_id="imports_list", response={200: BatchesOut, **ERRORS(403, 422)}, auth=READ, by_alias=True
)
def imports(
    request: ApiRequest, cursor: str | None = None, limit: int = Query(PAGE_SIZE, ge=1, le=MAX_PAGE_SIZE)
) -> Any:
    """List the team's imports."""
    items, more = list_imports(request.actor, cursor=cursor, limit=limit)
    return {"items": items, "nextCursor": more}


@router.post(
    "/imports/{batch_id}/undo",
    operation_id="imports_undo",
    response={200: UndoOut, **ERRORS(403, 404, 409, 422)},
    auth=ADMINISTER,
    by_alias=True,
)
def undo(request: ApiRequest, batch_id: int) -> Any:
    """Archive what an import created and give back what it changed; what was changed since is kept."""
    return {"items": [one.wire() for one in services.undo_import(request.actor, batch_id=batch_id)]}
