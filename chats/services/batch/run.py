"""Answers a batch: each line is a render request, and its answer or its error is one line of the result."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator

import orjson
from pydantic import ValidationError

from chats.services.batch.lines import LineTooLong, lines_of
from chats.services.callers import Caller
from chats.services.render import answer
from chats.services.request import RenderRequest
from neotavern.ground.canonical import loads
from neotavern.ground.errors import AppError, ErrorCode
from neotavern.ground.limits import MAX_BODY_BYTES
from neotavern.ground.validation import validation_refusal

logger = logging.getLogger("neotavern.batch")


def answer_lines(caller: Caller, pieces: Iterable[bytes], *, trace_id: str = "") -> Iterator[bytes]:
    """Yield the answer to each line, in order, as a line. Blank lines are passed over.

    The key is checked for each line, so one that is revoked meanwhile ends its batch. `trace_id` names the log lines
    of unexpected errors.
    """
    for line in lines_of(pieces, MAX_BODY_BYTES):
        if isinstance(line, LineTooLong) or line.strip():
            yield _answer_line(caller, line, trace_id) + b"\n"


def _answer_line(caller: Caller, line: bytes | LineTooLong, trace_id: str) -> bytes:
    try:
        return answer(caller, _request_of(line)).body()
    except AppError as error:
        return orjson.dumps(error.body())
    except Exception as error:
        logger.error("unexpected error in a batch", exc_info=error, extra={"fields": {"id": trace_id}})
        body = AppError(ErrorCode.INTERNAL, "Something went wrong here. The log has it under this traceId.").body()
        body["error"]["traceId"] = trace_id
        return orjson.dumps(body)


def _request_of(line: bytes | LineTooLong) -> RenderRequest:
    if isinstance(line, LineTooLong):
        message = f"The line is larger than {MAX_BODY_BYTES:,} bytes."
        raise AppError(ErrorCode.PAYLOAD_TOO_LARGE, message, params={"limit": MAX_BODY_BYTES})
    return read_request(loads(line))


def read_request(value: object) -> RenderRequest:
    """Return a parsed body as a request. Raises VALIDATION with every fault located, as the operation does."""
    try:
        return RenderRequest.model_validate(value)
    except ValidationError as error:
        raise validation_refusal(error.errors(include_url=False)) from None
