"""The chats app: the pipeline and the one render function."""

from __future__ import annotations

from django.apps import AppConfig


class ChatsConfig(AppConfig):
    """Conversations, the pipeline, and rendering."""

    name = "chats"

    def ready(self) -> None:
        """Let the library, a floor below, compare prompts."""
        from chats.services import comparing

        comparing.register()
