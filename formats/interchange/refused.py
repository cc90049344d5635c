"""Files that are known and hold nothing that makes a prompt: refused by name, so that nobody searches on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.interchange.reading import Document, Loss, Reader, is_object
from formats.prompt.errors import Fault, FormatError


def is_chatterui(document: Any) -> bool:
    """Return whether `document` is a connection of ChatterUI."""
    return is_object(document, "request", "payload", "features")


def _refuse(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    raise FormatError(Fault("request", "this tells ChatterUI how to call a back end; nothing of it makes a prompt"))


READERS: Final = (Reader("preset", "ChatterUI connection", "chatterui", is_chatterui, _refuse),)
