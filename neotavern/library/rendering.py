"""How a kind's objects are rendered, registered by the floor above that can: this floor knows no prompts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from neotavern.accounts.actor import Actor


@dataclass(frozen=True, slots=True)
class Conversation:
    """What two revisions are rendered on; messages and tools as the caller sent them."""

    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] = field(default_factory=list)


Renderer = Callable[[Actor, str, Conversation], str]
"""Takes the caller, `slug@number` and the conversation; returns the prompt. Raises AppError."""

_RENDERERS: dict[str, Renderer] = {}


def register(kind: str, renderer: Renderer) -> None:
    """Let `renderer` make the prompts that objects of `kind` are compared by."""
    _RENDERERS[kind] = renderer


def renderer_of(kind: str) -> Renderer | None:
    """Return what renders objects of `kind`, or None for a kind that is never rendered by itself."""
    return _RENDERERS.get(kind)
