"""/lorebooks/{slug}/vectors: how many texts of a book have a vector, and having the others made."""

from __future__ import annotations

from typing import Any

from ninja import Router, Status
from pydantic import BaseModel

from chats.services.embedding import wanted
from chats.stored.names import LOREBOOK
from neotavern.accounts.auth import ApiRequest
from neotavern.ground.http import ERRORS
from neotavern.jobs.shapes import JobOut, shape
from neotavern.library import selectors
from neotavern.library.api.access import READ, WRITE
from neotavern.library.models import Item
from neotavern.library.services import saving

router = Router(tags=["Lorebooks"])
PLACE = "/lorebooks/{slug}/vectors"


class VectorsOut(BaseModel):
    """How far a book is; `model` is null where this server makes no vectors, `job` the newest that there was."""

    model: str | None
    total: int
    made: int
    job: JobOut | None


def _shown(book: Item) -> dict[str, Any]:
    state = wanted.state_of(book)
    job = shape(state.job) if state.job is not None else None
    return {"model": state.model, "total": state.total, "made": state.made, "job": job}


@router.get(
    PLACE,
    operation_id="lorebooks_vectors_read",
    response={200: VectorsOut, **ERRORS(403, 404, 422)},
    auth=READ,
    by_alias=True,
)
def read_vectors(request: ApiRequest, slug: str) -> Any:
    """Return how far a book is."""
    return _shown(selectors.get_item(request.actor, kind=LOREBOOK, slug=slug))


@router.post(
    PLACE,
    operation_id="lorebooks_vectors_make",
    response={202: VectorsOut, **ERRORS(403, 404, 422)},
    auth=WRITE,
    by_alias=True,
)
def make_vectors(request: ApiRequest, slug: str) -> Any:
    """Ask for the vectors that are missing, by a job; one that waits already is enough."""
    book = selectors.get_item(request.actor, kind=LOREBOOK, slug=slug)
    saving.may_change(request.actor, book)
    wanted.ask(book, made_by=request.actor.name)
    return Status(202, _shown(book))
