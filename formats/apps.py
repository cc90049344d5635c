"""The formats app: registers the kinds that it stores."""

from __future__ import annotations

from django.apps import AppConfig


class FormatsConfig(AppConfig):
    """Instruct formats and the settings that name them."""

    name = "formats"
    label = "formats"

    def ready(self) -> None:
        """Register the stored kinds, and let the library, a floor below, read other programs' files."""
        from formats import kinds
        from formats.stored import foreign

        kinds.register_all()
        foreign.register()
