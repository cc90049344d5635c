"""Changes of AppSettings: a patch merged onto the newest state, so that two people never undo each other's fields."""

from __future__ import annotations

from typing import Any

from formats import selectors
from formats.selectors import NEVER_SAVED, Settings
from formats.stored import app_settings
from formats.stored.app_settings import TEAM_SLUG
from neotavern.accounts import permissions
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import AppError, ErrorCode, conflict
from neotavern.library import etags
from neotavern.library import selectors as library
from neotavern.library.models import Item
from neotavern.library.services import Base, saving
from neotavern.library.services.prepare import prepare

ATTEMPTS = 20
"""Tries to merge a patch that names no base while others save; each loses only to a save that succeeded."""


def patch_settings(
    actor: Actor,
    changes: dict[str, Any],
    *,
    base_revision: int | None = None,
    if_match: str | None = None,
    note: str = "",
) -> Settings:
    """Change the team's settings and return them; fields that `changes` does not name stay.

    Raises FORBIDDEN; VALIDATION for a field that is wrong or names a format that can not be active; CONFLICT or
    PRECONDITION_FAILED when a base is given and stale.
    """
    permissions.require(actor, "write")
    _patch(actor, TEAM_SLUG, changes, Base(base_revision, if_match), note)
    return selectors.team_settings(actor)


def patch_personal(
    actor: Actor,
    changes: dict[str, Any],
    *,
    base_revision: int | None = None,
    if_match: str | None = None,
    note: str = "",
) -> Settings:
    """Change what a person has set for herself; every member may. FORBIDDEN for programs."""
    permissions.require(actor, "read")
    _patch(actor, selectors.personal_slug(actor), changes, Base(base_revision, if_match), note)
    return selectors.personal_settings(actor)


def _patch(actor: Actor, slug: str, changes: dict[str, Any], base: Base, note: str) -> None:
    wanted = app_settings.validate(changes).document
    for attempt in range(ATTEMPTS):
        try:
            return _try(actor, slug, wanted, base, note)
        except AppError as error:
            # somebody saved between our read and our write: read again, and judge the caller's base anew
            if error.code is not ErrorCode.CONFLICT or attempt == ATTEMPTS - 1:
                raise
            _refuse_stale(selectors.find_item(actor, slug), base)
    return None


def _try(actor: Actor, slug: str, wanted: dict[str, Any], base: Base, note: str) -> None:
    item = selectors.find_item(actor, slug)
    _refuse_stale(item, base)
    if item is None:
        if wanted:
            saving.insert(actor, prepare(app_settings.KIND, wanted, slug=slug, note=note), action="settings.change")
        return
    newest = library.revision(item)
    merged = library.document(item, newest) | wanted
    prepared = prepare(app_settings.KIND, merged, slug=slug, note=note)
    saving.append(actor, item, prepared, base=Base(newest.number), action="settings.change")


def _refuse_stale(item: Item | None, base: Base) -> None:
    """Raise when the caller's base is not the present state; settings that nobody changed are at revision 0."""
    if item is not None:
        saving.check_base(item, base)
    elif base.if_match is not None and not etags.matches(base.if_match, NEVER_SAVED):
        message = "The settings are not what you read. Nothing was saved."
        raise AppError(ErrorCode.PRECONDITION_FAILED, message, params={"currentRevision": 0})
    elif base.revision not in (None, 0):
        raise conflict("Nobody has changed the settings yet. Nothing was saved.", currentRevision=0)
