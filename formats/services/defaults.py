"""The two buttons of a page: default for the team, default for me."""

from __future__ import annotations

from formats.selectors import Settings
from formats.services.settings import patch_personal, patch_settings
from formats.stored.names import REFERENCES
from neotavern.accounts.actor import Actor

FIELDS = {kind: field for field, kind in REFERENCES.items()}
"""Kind → the setting that names the default of it."""


def make_team_default(actor: Actor, *, kind: str, pointer: str | None) -> Settings:
    """Let renders of the whole team use `pointer` (`slug`, `slug@label`, `slug@number`) of `kind`; None: nothing.

    Raises FORBIDDEN for who may not set the team's defaults, VALIDATION for an object that is not there or red.
    """
    return patch_settings(actor, {FIELDS[kind]: pointer})


def make_my_default(actor: Actor, *, kind: str, pointer: str | None) -> Settings:
    """Let renders in this person's browser use `pointer` of `kind`, whatever the team has; None: nothing."""
    return patch_personal(actor, {FIELDS[kind]: pointer})


def follow_the_team(actor: Actor, *, kind: str) -> Settings:
    """Let renders in this person's browser use what the team has."""
    return patch_personal(actor, {}, unset=[FIELDS[kind]])
