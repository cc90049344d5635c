"""The chats app: the pipeline and the one render function."""

from __future__ import annotations

from django.apps import AppConfig


class ChatsConfig(AppConfig):
    """Conversations, the pipeline, and rendering."""

    name = "chats"
