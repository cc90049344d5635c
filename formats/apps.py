"""The formats app: registers the kinds that it stores."""

from __future__ import annotations

from django.apps import AppConfig


class FormatsConfig(AppConfig):
    """Instruct formats and the settings that name them."""

    name = "formats"
    label = "formats"

    def ready(self) -> None:
        """Register the stored kinds."""
        from formats import kinds

        kinds.register_all()
