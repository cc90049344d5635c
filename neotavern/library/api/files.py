"""Validate and export: the operations of a kind that deal in bare documents."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from ninja import Body, Router
from ninja.params.functions import Query

from neotavern.accounts.auth import ApiRequest
from neotavern.ground.http import ERRORS
from neotavern.library import linting, selectors
from neotavern.library.api.access import READ, unchanged
from neotavern.library.api.schemas import ReportOut, ValidateOut
from neotavern.library.etags import etag
from neotavern.library.kinds import Kind, exporter_of

FILE_RESPONSE: dict[str, Any] = {
    "responses": {200: {"content": {"application/json": {"schema": {}}, "application/octet-stream": {"schema": {}}}}}
}


def add_files(router: Router, kind: Kind) -> None:
    """Add validate and export of `kind`."""
    _add_validate(router, kind)
    _add_export(router, kind)


def _add_validate(router: Router, kind: Kind) -> None:
    name = kind.plural_path

    @router.post(
        "/validate",
        operation_id=f"{name}_validate",
        response={200: ValidateOut, **ERRORS(403, 415, 422)},
        auth=READ,
        by_alias=True,
    )
    def validate(request: ApiRequest, body: Body[dict[str, Any]]) -> Any:
        """Lint a document, given as `{"document": …}` or bare, without saving it."""
        document = body["document"] if body.keys() == {"document"} else body
        return linting.lint(kind.name, document).wire()


def _add_export(router: Router, kind: Kind) -> None:
    name = kind.plural_path

    @router.get(
        "/{slug}/export",
        operation_id=f"{name}_export",
        response={200: ReportOut | dict[str, Any], 304: None, **ERRORS(403, 404, 422)},
        auth=READ,
        by_alias=True,
        openapi_extra=FILE_RESPONSE,
    )
    def export(
        request: ApiRequest,
        response: HttpResponse,
        *,
        slug: str,
        style: str = Query("neotavern", alias="as"),
        version: str | None = None,
        report: bool = False,
        revision: int | None = None,
        label: str | None = None,
    ) -> Any:
        """Hand out the bare file, or with `report=true` what the file can not say."""
        item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
        found = selectors.revision(item, number=revision, label=label)
        file = exporter_of(kind, style)(selectors.whole_document(item, found), version)
        tag = etag(item, found.number, style, version or "", str(report))
        known = unchanged(request, response, tag)
        if known is not None:
            return known
        if report:
            return {"loss": [loss.wire() for loss in file.loss]}
        answer = HttpResponse(file.body, content_type=file.content_type)
        answer["Content-Disposition"] = f'attachment; filename="{item.slug}.{file.extension}"'
        answer["ETag"] = tag
        return answer
