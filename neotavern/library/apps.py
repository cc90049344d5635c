"""The library app: stored, revisioned, labelled, searchable documents of a team."""

from __future__ import annotations

from django.apps import AppConfig


class LibraryConfig(AppConfig):
    """One implementation of every stored kind; `neotavern.library.kinds` is the registry."""

    name = "neotavern.library"
    label = "library"

    def ready(self) -> None:
        """Register what the archive of a team holds of this floor, before floors above add theirs."""
        from neotavern.library.backup import core

        core.register_all()
