"""The library app: stored, revisioned, labelled, searchable documents of a team."""

from __future__ import annotations

from django.apps import AppConfig


class LibraryConfig(AppConfig):
    """One implementation of every stored kind; `neotavern.library.kinds` is the registry."""

    name = "neotavern.library"
    label = "library"
