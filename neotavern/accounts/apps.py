"""The accounts app: people, teams, keys, audit."""

from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Users, teams, memberships, invitations, API keys and the audit trail."""

    name = "neotavern.accounts"
    label = "accounts"

    def ready(self) -> None:
        """Listen to what happens to accounts."""
        from neotavern.accounts import events

        events.connect()
