"""List, read, revisions: the reading operations of a kind."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from ninja import Router
from ninja.params.functions import Query

from neotavern.accounts.auth import ApiRequest
from neotavern.ground.http import ERRORS
from neotavern.ground.limits import MAX_PAGE_SIZE, PAGE_SIZE
from neotavern.library import selectors
from neotavern.library.api.access import READ, unchanged
from neotavern.library.api.schemas import ListOut, RevisionsOut, StoredOut
from neotavern.library.etags import etag
from neotavern.library.kinds import Kind


def add_reading(router: Router, kind: Kind) -> None:
    """Add the reading operations of `kind`."""
    _add_list(router, kind)
    _add_read(router, kind)
    _add_revisions(router, kind)


def _add_list(router: Router, kind: Kind) -> None:
    name = kind.plural_path

    @router.get("", operation_id=f"{name}_list", response={200: ListOut, **ERRORS(403, 422)}, auth=READ, by_alias=True)
    def list_objects(
        request: ApiRequest,
        *,
        search: str = "",
        tag: str | None = None,
        builtin: bool | None = None,
        archived: bool = False,
        cursor: str | None = None,
        limit: int = Query(PAGE_SIZE, ge=1, le=MAX_PAGE_SIZE),
    ) -> dict[str, Any]:
        """List the team's objects and the built-ins, newest change first."""
        page = selectors.list_items(
            request.actor,
            kind=kind.name,
            search=search,
            tag=tag,
            builtin=builtin,
            archived=archived,
            cursor=cursor,
            limit=limit,
        )
        return {"items": page.items, "nextCursor": page.next_cursor}


def _add_read(router: Router, kind: Kind) -> None:
    name = kind.plural_path

    @router.get(
        "/{slug}",
        operation_id=f"{name}_read",
        response={200: StoredOut, 304: None, **ERRORS(403, 404, 422)},
        auth=READ,
        by_alias=True,
    )
    def read(
        request: ApiRequest, response: HttpResponse, slug: str, revision: int | None = None, label: str | None = None
    ) -> Any:
        """Read an object: the newest revision of any colour, one by number, or the one that a label points at."""
        item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
        shown = selectors.revision(item, number=revision, label=label)
        return unchanged(request, response, etag(item, shown.number)) or selectors.stored(item, shown)


def _add_revisions(router: Router, kind: Kind) -> None:
    name = kind.plural_path

    @router.get(
        "/{slug}/revisions",
        operation_id=f"{name}_revisions",
        response={200: RevisionsOut, **ERRORS(403, 404, 422)},
        auth=READ,
        by_alias=True,
    )
    def revisions(
        request: ApiRequest,
        slug: str,
        cursor: str | None = None,
        limit: int = Query(MAX_PAGE_SIZE, ge=1, le=MAX_PAGE_SIZE),
    ) -> dict[str, Any]:
        """List the revisions of an object, newest first."""
        item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
        items, more = selectors.list_revisions(item, cursor=cursor, limit=limit)
        return {"items": items, "nextCursor": more}
