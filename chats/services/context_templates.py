"""The context template that a render is put together by, ready to render, with the engine that fills it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from chats.infill.types import Options
from chats.pipeline.context.choice import ContextChoice
from chats.services.cache import ContentCache
from chats.services.infill import engine_of
from chats.services.lookup import Lookup
from chats.stored.names import CONTEXT_TEMPLATE
from formats.context import CompiledContext, read_context_template
from formats.prompt.errors import FormatError
from formats.prompt.findings import Finding
from neotavern.library.resolve import Ref

FIELD: Final = "contextTemplate"
CACHED: Final = 128
_STORED: ContentCache[CompiledContext] = ContentCache(CACHED)


def context_of(found: Lookup) -> tuple[ContextChoice | None, list[Finding]]:
    """Return what the request's context template is, and the warnings of one that the request carries.

    None where blocks put the prompt together. Raises NOT_FOUND, and FormatError for a template that can not be read.
    """
    asked = found.request.context_template
    if asked is None:
        return None, []
    template = _stored(asked, found) if isinstance(asked, str) else _inline(asked)
    by_date = template.document.history_order == "date"
    chosen = engine_of(found, Options(by_date=by_date))
    return ContextChoice(template, chosen, found.request.chat or ""), [] if isinstance(asked, str) else _lint(template)


def _stored(name: str, found: Lookup) -> CompiledContext:
    document = found.document(CONTEXT_TEMPLATE, name)
    known = found.objects[Ref.of(CONTEXT_TEMPLATE, name)]
    key = known.content_hash if known is not None else name
    return _STORED.get_or_make(key, lambda: CompiledContext(read_context_template(document)))


def _inline(document: Mapping[str, Any]) -> CompiledContext:
    try:
        return CompiledContext(read_context_template(dict(document)))
    except FormatError as error:
        raise FormatError([fault.within(FIELD) for fault in error.faults]) from error


def _lint(template: CompiledContext) -> list[Finding]:
    from formats.lint.context import context_checks

    return [
        Finding(one.severity, one.code, one.message, f"{FIELD}.{one.path}", one.line, one.column)
        for one in context_checks(template.document).findings
    ]
