"""A stored chat as a render takes it: its settings fill what the request leaves open, its messages come first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from chats import selectors
from chats.documents import ChatSettings, validate
from chats.lore import LoreState
from chats.services.request import RenderRequest
from formats.prompt.message import Message
from neotavern.library import resolve
from neotavern.library.resolve import Found

CAST: Final = ("character", "characters", "persona", "lorebooks", "memories", "scenario")
"""Fields that a request has under the same names."""

STYLE: Final[Mapping[str, str]] = {
    "format": "instructFormat",
    "prompt_config": "promptConfig",
    "context_template": "contextTemplate",
    "infill": "infill",
}
"""Fields that a preset may give too → their names there: the request's preset is stronger than its chat."""


@dataclass(frozen=True, slots=True)
class StoredChat:
    """The settings of a chat revision; messages and memory of lore are those of the chat now."""

    item_id: int
    settings: ChatSettings

    @classmethod
    def of(cls, found: Found, draft: Mapping[str, Any] | None = None) -> StoredChat:
        """Return the chat of a revision, or with the settings of a draft. Raises DocumentError for a faulty draft."""
        document = resolve.document(found.revision_id) if draft is None else draft
        return cls(found.item_id, validate(ChatSettings, document, "chat"))

    def messages(self) -> list[Message]:
        """Return the messages, oldest first."""
        return [stored.message() for stored in selectors.stored_messages(self.item_id)]

    def lore_state(self) -> LoreState:
        """Return what the chat remembers of its lore. Rendering never changes it."""
        return selectors.lore_state(self.item_id)

    def filled(self, request: RenderRequest, preset: Mapping[str, Any]) -> RenderRequest:
        """Return `request` with what it leaves open taken from the chat; `preset` is the one that the request names."""
        given = request.model_fields_set
        filled: dict[str, Any] = {}
        for name in CAST:
            value = getattr(self.settings, name)
            if name not in given and value:
                filled[name] = list(value) if isinstance(value, tuple) else value
        for name, in_preset in STYLE.items():
            value = getattr(self.settings, name)
            if name not in given and value is not None and preset.get(in_preset) is None:
                filled[name] = value
        if "preset" not in given and self.settings.preset is not None:
            filled["preset"] = self.settings.preset
        if self.settings.variables:
            filled["variables"] = {**self.settings.variables, **request.variables}
        return request.model_copy(update=filled) if filled else request
