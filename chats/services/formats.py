"""Formats ready to render: compiled once for each content, whether stored, inline or built in."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import orjson

from chats.services.cache import ContentCache
from chats.services.errors import app_errors
from formats.builtin import builtin_document
from formats.prompt.document import InstructFormat
from formats.prompt.findings import Finding
from formats.prompt.importing import import_with_notes
from neotavern.ground.canonical import content_hash
from neotavern.ground.errors import AppError, ErrorCode, not_found
from neotavern.ground.limits import MAX_DOCUMENT_BYTES
from neotavern.library import resolve

CACHED_FORMATS: Final = 512


@dataclass(frozen=True, slots=True)
class ReadyFormat:
    """A compiled format with the hash of its content. `findings` are the warnings of an inline document."""

    format: InstructFormat
    content_hash: str
    findings: tuple[Finding, ...] = ()


_CACHE: ContentCache[ReadyFormat] = ContentCache(CACHED_FORMATS)


def stored_format(found: resolve.Found) -> ReadyFormat:
    """Return the format of a revision; its text is read only when no equal content is ready."""
    return _ready(found.content_hash, lambda: resolve.document(found.revision_id))


def inline_format(document: dict[str, Any]) -> ReadyFormat:
    """Return the format that a request carries. Raises the refusal of the document, paths beginning with `format`."""
    hashed = _hash(document)
    return _CACHE.get_or_make(f"inline:{hashed}", lambda: _checked(hashed, document))


def builtin_format(slug: str) -> ReadyFormat:
    """Return a built-in from its file, without a database. Raises NOT_FOUND."""
    try:
        return _builtin(slug)
    except KeyError:
        raise not_found(f"The built-in format {slug[:200]!r}", format=slug[:200]) from None


@functools.cache
def _builtin(slug: str) -> ReadyFormat:
    document = builtin_document(slug)
    return _ready(content_hash(document), lambda: document)


def _ready(hashed: str, read: Callable[[], dict[str, Any]]) -> ReadyFormat:
    return _CACHE.get_or_make(hashed, lambda: _compiled(hashed, read()))


def _compiled(hashed: str, document: dict[str, Any]) -> ReadyFormat:
    with app_errors("format"):
        made = InstructFormat.model_validate(document)
        made.compiled  # noqa: B018 - compiles now, so that no request pays for it later
    return ReadyFormat(made, hashed)


def _checked(hashed: str, document: dict[str, Any]) -> ReadyFormat:
    with app_errors("format"):
        made, notes = import_with_notes(document)
    losses = [Finding("warning", "IMPORT_LOSS", note.reason, f"format.{note.path}") for note in notes]
    return ReadyFormat(made, hashed, (*losses, *_lint(document)))


def _lint(document: dict[str, Any]) -> list[Finding]:
    from formats.lint import checks

    return [
        Finding(found.severity, found.code, found.message, _within(found.path), found.line, found.column)
        for found in checks(document).findings
    ]


def _within(path: str) -> str:
    return f"format.{path}" if path else "format"


def _hash(document: dict[str, Any]) -> str:
    try:
        size = len(orjson.dumps(document))
    except (TypeError, orjson.JSONEncodeError) as error:
        raise AppError(ErrorCode.VALIDATION, f"format: {error}") from error
    if size > MAX_DOCUMENT_BYTES:
        message = f"format: the document is larger than {MAX_DOCUMENT_BYTES:,} bytes."
        raise AppError(ErrorCode.PAYLOAD_TOO_LARGE, message, params={"limit": MAX_DOCUMENT_BYTES})
    return content_hash(document)
