"""The roof's Django app: it exists so that `manage.py` finds the commands of this folder."""

from __future__ import annotations

from django.apps import AppConfig


class RoofConfig(AppConfig):
    """Holds management commands only."""

    name = "neotavern"
    label = "roof"
