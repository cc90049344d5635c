"""POST /render/batch: NDJSON in and out, answered while it comes in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Router

from chats.services.batch.run import answer_lines
from chats.services.batch.spool import PIECE_BYTES, Spool
from chats.services.callers import ActorCaller, Caller, TokenCaller
from neotavern.accounts import permissions
from neotavern.accounts.auth import ApiRequest, KeyOrSession, bearer
from neotavern.ground.errors import AppError, ErrorCode
from neotavern.ground.http import ERRORS

router = Router(tags=["Render"])
MEDIA = "application/x-ndjson"
ACCEPTED = frozenset(
    {"", MEDIA, "application/ndjson", "application/jsonl", "application/jsonlines", "application/json"}
)
ACCEPTED_ANYWAY = frozenset({"text/plain", "application/octet-stream", "application/x-www-form-urlencoded"})
"""What HTTP clients put in when nobody told them: curl's `--data-binary` says it is a form."""

NDJSON: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {MEDIA: {"schema": {"type": "string", "description": "One render request a line."}}},
    },
    "responses": {
        200: {"content": {MEDIA: {"schema": {"type": "string", "description": "One answer or error a line."}}}},
    },
}


@router.post(
    "/render/batch",
    response={200: None, **ERRORS(403, 415)},
    auth=KeyOrSession(),
    summary="Render many conversations",
    openapi_extra=NDJSON,
)
def batch(request: ApiRequest) -> StreamingHttpResponse:
    """Answer each line with a line: what /render answers, errors included. Blank lines are passed over."""
    permissions.require(request.actor, "render")
    _check_media(request)
    spool = Spool(_reader(request))
    lines = answer_lines(_caller(request), spool.pieces(), trace_id=request.request_id)
    response = StreamingHttpResponse(_closing(lines, spool), content_type=MEDIA)
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


def _check_media(request: HttpRequest) -> None:
    media = (request.content_type or "").lower()
    if media not in ACCEPTED | ACCEPTED_ANYWAY:
        message = f"The body is {media}: send one JSON object a line with `Content-Type: {MEDIA}`."
        raise AppError(ErrorCode.UNSUPPORTED_MEDIA, message, params={"contentType": media})


def _caller(request: ApiRequest) -> Caller:
    token = bearer(request)
    return TokenCaller(token) if token is not None else ActorCaller(request.actor)


def _reader(request: HttpRequest) -> Callable[[], bytes]:
    """Return what reads the next piece of the upload.

    With a known length a piece is of fixed size. A chunked upload may come from a program that waits for each answer,
    so it is read by lines: the server's input gives back less than a whole piece only at the end.
    """
    chunked = "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower()
    if chunked and not request.META.get("CONTENT_LENGTH"):
        readline: Callable[[], bytes] = request.META["wsgi.input"].readline
        return readline
    return lambda: request.read(PIECE_BYTES)


def _closing(lines: Iterator[bytes], spool: Spool) -> Iterator[bytes]:
    try:
        yield from lines
    finally:
        spool.close()
