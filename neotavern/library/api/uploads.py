"""POST /import: documents as JSON or as files of a form."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.http.multipartparser import MultiPartParserError
from django.http.request import UnreadablePostError
from ninja import Router
from ninja.params.functions import Query

from neotavern.accounts.auth import ApiRequest
from neotavern.ground.canonical import loads
from neotavern.ground.errors import AppError, ErrorCode, invalid
from neotavern.ground.http import ERRORS
from neotavern.library import services
from neotavern.library.api.access import WRITE
from neotavern.library.api.schemas import ImportOut
from neotavern.library.services import Upload
from neotavern.library.uploaded import documents, of_file

router = Router(tags=["Import"])
_DOCUMENT = {"oneOf": [{"type": "object"}, {"type": "array", "items": {"type": "object"}}]}
_FILES = {
    "type": "object",
    "required": ["file"],
    "properties": {"file": {"type": "array", "items": {"type": "string", "format": "binary"}}},
}
_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": _DOCUMENT}, "multipart/form-data": {"schema": _FILES}},
    }
}


@router.post(
    "/import",
    operation_id="import_documents",
    response={200: ImportOut, **ERRORS(403, 415, 422)},
    auth=WRITE,
    by_alias=True,
    openapi_extra=_BODY,
)
def import_documents(request: ApiRequest, dry_run: bool = Query(False, alias="dryRun")) -> Any:
    """Import one document, a list of them, or files. `dryRun=true` says what would happen and changes nothing."""
    outcomes = services.import_documents(request.actor, uploads=_uploads(request), dry_run=dry_run)
    return {"items": [outcome.wire() for outcome in outcomes]}


def _uploads(request: HttpRequest) -> list[Upload]:
    media = (request.content_type or "").lower()
    try:
        if media == "multipart/form-data":
            return _from_files(request)
        if media in {"", "application/json"} or media.endswith("+json"):
            return documents("body", loads(request.body))
    except (MultiPartParserError, UnreadablePostError) as error:
        raise AppError(ErrorCode.BAD_JSON, f"The body can not be read: {error}.") from error
    message = f"The body is {media}: send JSON, or files as multipart/form-data."
    raise AppError(ErrorCode.UNSUPPORTED_MEDIA, message, params={"contentType": media})


def _from_files(request: HttpRequest) -> list[Upload]:
    files = request.FILES.getlist("file")
    if not files:
        raise invalid("file", "The form has no file: send one or more in the field `file`.")
    uploads: list[Upload] = []
    for file in files:
        name = file.name or "file"
        try:
            uploads += of_file(name, file.read())
        except AppError as error:
            uploads.append(Upload(name, error=error))
    return uploads
