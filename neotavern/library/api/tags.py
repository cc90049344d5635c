"""PUT and DELETE …/tags/{tag}: tags beside those of the document, without a new revision."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from ninja import Router
from pydantic import BaseModel

from neotavern.accounts.auth import ApiRequest
from neotavern.ground.http import ERRORS
from neotavern.library import selectors, services
from neotavern.library.api.access import WRITE
from neotavern.library.etags import etag
from neotavern.library.kinds import Kind


class TagsOut(BaseModel):
    """All tags of the object, those of its document included, and whether the request changed them."""

    tags: list[str]
    changed: bool


def add_tags(router: Router, kind: Kind) -> None:
    """Add the tag operations of `kind`."""
    name = kind.plural_path

    @router.put(
        "/{slug}/tags/{tag}",
        operation_id=f"{name}_tag_add",
        response={200: TagsOut, **ERRORS(403, 404, 422)},
        auth=WRITE,
        by_alias=True,
    )
    def put(request: ApiRequest, response: HttpResponse, slug: str, tag: str) -> Any:
        """Put a tag on an object; saves of its document leave it there."""
        item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
        changed = services.add_tag(request.actor, item=item, tag=tag)
        return _shown(request, response, kind, slug, changed=changed)

    @router.delete(
        "/{slug}/tags/{tag}",
        operation_id=f"{name}_tag_remove",
        response={200: TagsOut, **ERRORS(403, 404, 409, 422)},
        auth=WRITE,
        by_alias=True,
    )
    def delete(request: ApiRequest, response: HttpResponse, slug: str, tag: str) -> Any:
        """Take a tag off an object. One that stands in the document is taken out by a save."""
        item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
        changed = services.remove_tag(request.actor, item=item, tag=tag)
        return _shown(request, response, kind, slug, changed=changed)


def _shown(request: ApiRequest, response: HttpResponse, kind: Kind, slug: str, *, changed: bool) -> dict[str, Any]:
    item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
    response["ETag"] = etag(item, item.last_number)
    return {"tags": selectors.tags_of(item), "changed": changed}
