"""Reads request bodies and writes answers with orjson; what is not JSON is refused by media type or by place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import orjson
from django.http import HttpRequest
from django.http.request import UnreadablePostError
from ninja.parser import Parser
from ninja.renderers import BaseRenderer

from neotavern.ground.canonical import loads
from neotavern.ground.errors import AppError, ErrorCode


class JsonParser(Parser):
    """Parses JSON bodies; other media types are UNSUPPORTED_MEDIA."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the parsed body."""
        media = (request.content_type or "").lower()
        if media not in {"", "application/json"} and not media.endswith("+json"):
            raise AppError(
                ErrorCode.UNSUPPORTED_MEDIA,
                f"The body is {media}: send JSON with `Content-Type: application/json`.",
                params={"contentType": media},
            )
        try:
            body = request.body
        except UnreadablePostError as error:
            raise AppError(ErrorCode.BAD_JSON, "The body ended before it was complete.") from error
        try:
            return loads(body)
        except AppError as error:
            raise _within_document(error) from error


def _within_document(error: AppError) -> AppError:
    """Return `error` with paths relative to the document, as everything else that is said of a document has them."""
    details = [replace(detail, path=detail.path.removeprefix("document.")) for detail in error.details]
    return AppError(error.code, error.message, params=error.params, details=details)


class JsonRenderer(BaseRenderer):
    """Writes JSON; keys are always text in our answers."""

    media_type = "application/json"
    charset = "utf-8"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> Any:
        """Return the bytes of the answer."""
        return orjson.dumps(data)


def plain(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return `params` as plain JSON values: what can not be written becomes its text."""
    result: dict[str, Any] = orjson.loads(orjson.dumps(dict(params), default=str))
    return result
