"""Clone, restore, labels: the operations of a kind that point at revisions."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from ninja import Router, Status
from ninja.params.functions import Header

from neotavern.accounts.auth import ApiRequest
from neotavern.ground.http import ERRORS
from neotavern.library import selectors, services
from neotavern.library.api.access import MOVE_LABEL, WRITE
from neotavern.library.api.schemas import CloneIn, LabelIn, LabelOut, RestoreIn, StoredOut
from neotavern.library.api.writing import shown
from neotavern.library.kinds import Kind
from neotavern.library.models import Item
from neotavern.library.services import Base


def add_copies(router: Router, kind: Kind) -> None:
    """Add clone and restore of `kind`."""
    _add_clone(router, kind)
    _add_restore(router, kind)


def _add_clone(router: Router, kind: Kind) -> None:
    name = kind.plural_path

    @router.post(
        "/{slug}/clone",
        operation_id=f"{name}_clone",
        response={201: StoredOut, **ERRORS(403, 404, 409, 415, 422)},
        auth=WRITE,
        by_alias=True,
    )
    def clone(request: ApiRequest, response: HttpResponse, slug: str, body: CloneIn) -> Any:
        """Copy an object, built-in or not, to a slug of the team."""
        item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
        saved = services.clone(request.actor, item=item, slug=body.slug, note=body.note or "")
        return Status(201, shown(response, saved))


def _add_restore(router: Router, kind: Kind) -> None:
    name = kind.plural_path

    @router.post(
        "/{slug}/revisions/{number}/restore",
        operation_id=f"{name}_restore",
        response={200: StoredOut, **ERRORS(403, 404, 409, 412, 415, 422)},
        auth=WRITE,
        by_alias=True,
    )
    def restore(
        request: ApiRequest,
        response: HttpResponse,
        *,
        slug: str,
        number: int,
        body: RestoreIn | None = None,
        if_match: str | None = Header(None, alias="If-Match"),
    ) -> Any:
        """Make a new revision with the document of an old one."""
        wish = body or RestoreIn()
        saved = services.restore(
            request.actor,
            item=selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True),
            number=number,
            base=Base(wish.base_revision, if_match),
            note=wish.note or "",
            force=bool(wish.force),
        )
        return shown(response, saved)


def add_labels(router: Router, kind: Kind) -> None:
    """Add the label operations of `kind`."""
    name = kind.plural_path

    def find(request: ApiRequest, slug: str) -> Item:
        return selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)

    @router.put(
        "/{slug}/labels/{label}",
        operation_id=f"{name}_label_move",
        response={200: LabelOut, **ERRORS(403, 404, 409, 412, 415, 422)},
        auth=MOVE_LABEL,
        by_alias=True,
    )
    def move(
        request: ApiRequest,
        slug: str,
        label: str,
        body: LabelIn,
        if_match: str | None = Header(None, alias="If-Match"),
    ) -> Any:
        """Point a label at a revision; it holds for the next request everywhere."""
        base = Base(body.base_revision, if_match)
        moved = services.move_label(
            request.actor, item=find(request, slug), name=label, number=body.revision, base=base
        )
        return {"label": moved.label, "revision": moved.revision, "previous": moved.previous}

    @router.delete(
        "/{slug}/labels/{label}",
        operation_id=f"{name}_label_delete",
        response={204: None, **ERRORS(403, 404, 409, 412, 422)},
        auth=MOVE_LABEL,
    )
    def remove(
        request: ApiRequest, slug: str, label: str, if_match: str | None = Header(None, alias="If-Match")
    ) -> Any:
        """Remove a label that nothing asks for."""
        services.delete_label(request.actor, item=find(request, slug), name=label, base=Base(if_match=if_match))
        return Status(204, None)
