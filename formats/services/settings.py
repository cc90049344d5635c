"""Changes of AppSettings: a patch merged onto the newest state, so that two people never undo each other's fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from formats import selectors
from formats.selectors import NEVER_SAVED, Settings
from formats.stored import app_settings
from formats.stored.app_settings import TEAM_SLUG
from neotavern.accounts import permissions
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import AppError, ErrorCode, conflict, forbidden, invalid
from neotavern.library import etags, resolve
from neotavern.library import selectors as library
from neotavern.library.models import Item
from neotavern.library.services import Base, saving
from neotavern.library.services.prepare import prepare

CONTEXT_TEMPLATE = "contextTemplate"
PRESET = "preset"
ATTEMPTS = 20
"""Tries to merge a patch that names no base while others save; each loses only to a save that succeeded."""


def patch_settings(
    actor: Actor,
    changes: dict[str, Any],
    *,
    base_revision: int | None = None,
    if_match: str | None = None,
    note: str = "",
    unset: Iterable[str] = (),
) -> Settings:
    """Change the team's settings and return them; fields that `changes` does not name stay.

    Those of `unset` have their default again. Raises FORBIDDEN, also where the team leaves its defaults to
    administrators; VALIDATION for a field that is wrong or names a format that can not be active; CONFLICT or
    PRECONDITION_FAILED when a base is given and stale.
    """
    permissions.require_set_defaults(actor)
    patch = _Patch(changes, unset, note)
    _refuse_template(actor, patch.onto(selectors.team_settings(actor).document))
    _patch(actor, TEAM_SLUG, patch, Base(base_revision, if_match))
    return selectors.team_settings(actor)


def patch_personal(
    actor: Actor,
    changes: dict[str, Any],
    *,
    base_revision: int | None = None,
    if_match: str | None = None,
    note: str = "",
    unset: Iterable[str] = (),
) -> Settings:
    """Change what a person has set for herself; every member may. FORBIDDEN for programs.

    Fields of `unset` are as the team has them again, which a null is not.
    """
    permissions.require(actor, "read")
    _patch(actor, selectors.personal_slug(actor), _Patch(changes, unset, note), Base(base_revision, if_match))
    return selectors.personal_settings(actor)


def restore_settings(
    actor: Actor, number: int, *, base_revision: int | None = None, if_match: str | None = None, note: str = ""
) -> Settings:
    """Make the team's settings what they were in revision `number`, as a new revision. NOT_FOUND when there is none."""
    permissions.require_set_defaults(actor)
    item = selectors.stored_item(actor, TEAM_SLUG)
    _refuse_template(actor, library.document(item, library.revision(item, number=number)))
    _restore(actor, TEAM_SLUG, number, Base(base_revision, if_match), note)
    return selectors.team_settings(actor)


def restore_personal(
    actor: Actor, number: int, *, base_revision: int | None = None, if_match: str | None = None, note: str = ""
) -> Settings:
    """Make a person's own settings what they were in revision `number`. FORBIDDEN for programs."""
    permissions.require(actor, "read")
    _restore(actor, selectors.personal_slug(actor), number, Base(base_revision, if_match), note)
    return selectors.personal_settings(actor)


def _refuse_template(actor: Actor, wanted: dict[str, Any]) -> None:
    """Raise FORBIDDEN for an editor's change of the team's context template: it is an administrator's to choose."""
    if permissions.may(actor, "administer"):
        return
    present = selectors.team_settings(actor).document
    chosen = wanted.get(CONTEXT_TEMPLATE) != present.get(CONTEXT_TEMPLATE)
    if chosen or (wanted.get(PRESET) != present.get(PRESET) and _names_template(actor, wanted.get(PRESET))):
        raise forbidden("Administrators set the team's context template: ask one of them.", needs="admin")


def _names_template(actor: Actor, preset: str | None) -> bool:
    """Whether a preset brings a context template along; one that is not there is refused elsewhere."""
    if preset is None:
        return False
    caller = resolve.TeamCaller.of(actor)
    found = resolve.resolve(caller, [resolve.Ref.of(PRESET, preset)], now=actor.now).found[0]
    return found is not None and resolve.document(found.revision_id).get(CONTEXT_TEMPLATE) is not None


def _restore(actor: Actor, slug: str, number: int, base: Base, note: str) -> None:
    item = selectors.stored_item(actor, slug)
    former = library.document(item, library.revision(item, number=number))
    note = note or f"Restored from revision {number}"
    prepared = prepare(app_settings.KIND, former, slug=slug, note=note)
    saving.append(actor, item, prepared, base=base, action="settings.restore")


@dataclass(frozen=True, slots=True)
class _Patch:
    """Fields to set, fields to take out, and the note of the revision."""

    changes: dict[str, Any]
    unset: Iterable[str]
    note: str

    def onto(self, document: dict[str, Any]) -> dict[str, Any]:
        """Return `document` with the patch applied. Raises VALIDATION for a field that is wrong, unknown or both."""
        wanted = app_settings.validate(self.changes).document
        for name in self.unset:
            if name not in app_settings.DEFAULTS or name in wanted:
                raise invalid("unset", f"{name[:80]!r} is no setting, or one that is set by the same change.")
        return {name: value for name, value in (document | wanted).items() if name not in set(self.unset)}


def _patch(actor: Actor, slug: str, patch: _Patch, base: Base) -> None:
    patch.onto({})  # a faulty patch is refused before a stale base is
    for attempt in range(ATTEMPTS):
        try:
            return _try(actor, slug, patch, base)
        except AppError as error:
            # somebody saved between our read and our write: read again, and judge the caller's base anew
            if error.code is not ErrorCode.CONFLICT or attempt == ATTEMPTS - 1:
                raise
            _refuse_stale(selectors.find_item(actor, slug), base)
    return None


def _try(actor: Actor, slug: str, patch: _Patch, base: Base) -> None:
    item = selectors.find_item(actor, slug)
    _refuse_stale(item, base)
    if item is None:
        wanted = patch.onto({})
        if wanted:
            prepared = prepare(app_settings.KIND, wanted, slug=slug, note=patch.note)
            saving.insert(actor, prepared, action="settings.change")
        return
    newest = library.revision(item)
    prepared = prepare(app_settings.KIND, patch.onto(library.document(item, newest)), slug=slug, note=patch.note)
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
