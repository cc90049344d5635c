"""POST …/bulk: one action on many objects, or many objects as one file."""

from __future__ import annotations

from typing import Any, Literal

from django.http import FileResponse
from ninja import Router
from pydantic import BaseModel, Field

from neotavern.accounts.auth import ApiRequest
from neotavern.ground.http import ERRORS
from neotavern.ground.wire import WireModel
from neotavern.library import services
from neotavern.library.api.access import READ
from neotavern.library.bundles import bundle
from neotavern.library.kinds import Kind

ZIP = "application/zip"
ZIP_RESPONSE: dict[str, Any] = {
    "responses": {200: {"content": {ZIP: {"schema": {"type": "string", "format": "binary"}}}}}
}


class BulkIn(WireModel):
    """What to do with which objects. `tag` belongs to `tag` and `untag`, `as` and `version` to `export`."""

    action: Literal["archive", "unarchive", "restore", "tag", "untag", "delete", "export"]
    slugs: list[str]
    tag: str | None = None
    style: str = Field(default="neotavern", alias="as")
    version: str | None = None


class BulkOutcomeOut(BaseModel):
    """What became of one object; `error` says why it was refused."""

    slug: str
    result: Literal["done", "unchanged", "refused"]
    error: dict[str, Any] | None


class BulkOut(BaseModel):
    """What became of each object, in order and once each."""

    items: list[BulkOutcomeOut]


def add_bulk(router: Router, kind: Kind) -> None:
    """Add the operation on many objects of `kind`."""

    @router.post(
        "/bulk",
        operation_id=f"{kind.plural_path}_bulk",
        response={200: BulkOut, **ERRORS(403, 415, 422)},
        auth=READ,
        by_alias=True,
        openapi_extra=ZIP_RESPONSE,
    )
    def bulk(request: ApiRequest, body: BulkIn) -> Any:
        """Archive, bring back, tag, untag, delete (administrators) or export; a failed one spoils only itself."""
        if body.action == "export":
            file = bundle(request.actor, kind, body.slugs, style=body.style, version=body.version)
            return FileResponse(file, as_attachment=True, filename=f"{kind.plural_path}.zip", content_type=ZIP)
        outcomes = services.act_on_many(
            request.actor, kind=kind.name, action=body.action, slugs=body.slugs, tag=body.tag
        )
        return {"items": [outcome.wire() for outcome in outcomes]}
