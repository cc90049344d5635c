"""A chat's messages as OpenAI's API takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chats.documents.foreign import Loss

OURS = ("pinned", "excluded")


def export_openai(document: Mapping[str, Any]) -> tuple[dict[str, Any], list[Loss]]:
    """Return `{"messages": […]}` of a chat without what is excluded; settings are lost."""
    losses = [Loss(key, "only messages are exported") for key in document if key not in ("messages", "kind", "version")]
    messages = []
    for at, message in enumerate(document.get("messages", ())):
        if message.get("excluded"):
            losses.append(Loss(f"messages[{at}]", "is excluded from prompts"))
            continue
        messages.append({key: value for key, value in message.items() if key not in OURS})
    return {"messages": messages}, losses
