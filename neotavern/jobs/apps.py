"""The jobs app."""

from __future__ import annotations

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Work that takes longer than a request may."""

    name = "neotavern.jobs"
    label = "jobs"
