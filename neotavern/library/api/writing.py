"""Create, save, archive, bring back: the writing operations of a kind."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from ninja import Router, Status
from ninja.params.functions import Header

from neotavern.accounts.auth import ApiRequest
from neotavern.ground.http import ERRORS
from neotavern.library import selectors, services
from neotavern.library.api.access import WRITE
from neotavern.library.api.schemas import CreateIn, SaveIn, StoredOut
from neotavern.library.etags import etag
from neotavern.library.kinds import Kind
from neotavern.library.services import Base, Saved


def shown(response: HttpResponse, saved: Saved) -> dict[str, Any]:
    """Return the stored object after a write, its ETag on the answer."""
    response["ETag"] = etag(saved.item, saved.revision.number)
    return selectors.stored(saved.item, saved.revision)


def add_writing(router: Router, kind: Kind) -> None:
    """Add the writing operations of `kind`."""
    _add_create(router, kind)
    _add_save(router, kind)
    _add_trash(router, kind)


def _add_create(router: Router, kind: Kind) -> None:
    name = kind.plural_path

    @router.post(
        "",
        operation_id=f"{name}_create",
        response={201: StoredOut, **ERRORS(403, 409, 415, 422)},
        auth=WRITE,
        by_alias=True,
    )
    def create(request: ApiRequest, response: HttpResponse, body: CreateIn) -> Any:
        """Store a new object under the slug that its document's `id` says."""
        saved = services.create(
            request.actor, kind=kind.name, document=body.document, note=body.note or "", force=bool(body.force)
        )
        return Status(201, shown(response, saved))


def _add_save(router: Router, kind: Kind) -> None:
    name = kind.plural_path

    @router.put(
        "/{slug}",
        operation_id=f"{name}_save",
        response={200: StoredOut, **ERRORS(403, 404, 409, 412, 415, 422)},
        auth=WRITE,
        by_alias=True,
    )
    def save(
        request: ApiRequest,
        response: HttpResponse,
        slug: str,
        body: SaveIn,
        if_match: str | None = Header(None, alias="If-Match"),
    ) -> Any:
        """Store the next revision; equal content makes none. A red one is kept and moves nothing."""
        saved = services.save(
            request.actor,
            item=selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True),
            document=body.document,
            base_revision=body.base_revision,
            if_match=if_match,
            note=body.note or "",
            force=bool(body.force),
        )
        return shown(response, saved)


def _add_trash(router: Router, kind: Kind) -> None:
    name = kind.plural_path

    @router.delete(
        "/{slug}",
        operation_id=f"{name}_archive",
        response={204: None, **ERRORS(403, 404, 409, 412, 422)},
        auth=WRITE,
    )
    def archive(
        request: ApiRequest,
        slug: str,
        permanent: bool = False,
        if_match: str | None = Header(None, alias="If-Match"),
    ) -> Any:
        """Put an object into the trash; `permanent=true` deletes it for good (administrators)."""
        item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
        act = services.delete if permanent else services.archive
        act(request.actor, item=item, base=Base(if_match=if_match))
        return Status(204, None)

    @router.post(
        "/{slug}/unarchive",
        operation_id=f"{name}_unarchive",
        response={200: StoredOut, **ERRORS(403, 404, 422)},
        auth=WRITE,
        by_alias=True,
    )
    def unarchive(request: ApiRequest, response: HttpResponse, slug: str) -> Any:
        """Take an object out of the trash."""
        item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
        held = services.unarchive(request.actor, item=item)
        return shown(response, Saved(held, selectors.revision(held), is_new=False))
