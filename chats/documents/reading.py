"""Reading and writing documents: one function for every kind, with all faults at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from chats.documents.character import Character
from chats.documents.chat import ChatSettings
from chats.documents.errors import DocumentError, error_of
from chats.documents.fields import fields_of
from chats.documents.lorebook import InlineLorebook, Lorebook, LoreEntry
from chats.documents.memory import Memory
from chats.documents.persona import Persona
from formats.prompt.errors import UNSUPPORTED_VERSION, Fault
from formats.prompt.fields import DOCUMENT_LIMIT, Closed

Document = Closed
D = TypeVar("D", bound=Closed)

DOCUMENTS: Final[Mapping[str, type[Closed]]] = {
    "character": Character,
    "persona": Persona,
    "lorebook": Lorebook,
    "lore-entry": LoreEntry,
    "inline-lorebook": InlineLorebook,
    "memory": Memory,
    "chat": ChatSettings,
}
"""The document of each kind. A book is stored as its settings; requests and files have its entries inside."""


def validate(model: type[D], document: Any, path: str = "") -> D:
    """Return `document` as a value that can not change. `path` is where it stands in what the caller sent.

    Raises DocumentError with every fault, places beginning with `path`.
    """
    if isinstance(document, model):
        return document
    if not isinstance(document, Mapping):
        raise DocumentError(Fault(path, "must be an object"))
    _check_version(document, path)
    if model is not InlineLorebook:
        _check_size(document, path)
    try:
        return model.model_validate(dict(document))
    except ValidationError as error:
        raise error_of(error, path) from None


def dump(document: Closed, *, whole: bool = False) -> dict[str, Any]:
    """Return JSON values, camelCase: what was given, or with `whole` every default spelled out."""
    return document.model_dump(mode="json", by_alias=True, exclude_unset=not whole)


def keep_unknown(document: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return a character document whose unknown keys stand under `extra`, and those keys: for files of others."""
    known = fields_of(Character)
    unknown = {key: value for key, value in document.items() if key not in known}
    kept = {key: value for key, value in document.items() if key in known}
    if unknown:
        extra = kept.get("extra")
        kept["extra"] = {**(extra if isinstance(extra, Mapping) else {}), **unknown}
    return kept, list(unknown)


def _check_version(document: Mapping[str, Any], path: str) -> None:
    version = document.get("version", 1)
    if isinstance(version, int) and version != 1:
        text = f"version {version} is not known; known is 1"
        raise DocumentError(Fault("version", text, UNSUPPORTED_VERSION).within(path))


def _check_size(document: Mapping[str, Any], path: str) -> None:
    try:
        size = len(json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    except (TypeError, ValueError, RecursionError) as error:
        raise DocumentError(Fault(path, f"must hold JSON values only: {error}")) from None
    if size > DOCUMENT_LIMIT:
        raise DocumentError(Fault(path, f"must have at most {DOCUMENT_LIMIT} bytes, this one has {size}"))
