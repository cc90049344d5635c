"""Reads of AppSettings: a team's, and a person's own; absent fields have the defaults of the document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from formats.stored.app_settings import DEFAULTS, NAME, PERSONAL_PREFIX, TEAM_SLUG
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import AppError, forbidden, not_found
from neotavern.library import selectors
from neotavern.library.etags import etag
from neotavern.library.models import Item
from neotavern.library.shapes import wire_time

NEVER_SAVED = '"0"'
"""ETag of settings that nobody has changed yet."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings with what a write needs to know: revision 0 means that nobody has changed them yet."""

    document: dict[str, Any]
    revision: int
    etag: str
    item: Item | None = None

    @property
    def wire(self) -> dict[str, Any]:
        """Return the answer of the API: every setting by its name, and the same again as `document`."""
        return self.document | {
            "revision": self.revision,
            "etag": self.etag,
            "updatedAt": wire_time(self.item.updated_at) if self.item else None,
            "updatedBy": (self.item.updated_by_name or None) if self.item else None,
            "document": self.document,
        }


@dataclass(frozen=True, slots=True)
class Default:
    """One setting: the team's value, the person's own (None when there is none), and whose holds."""

    team: Any
    mine: Any
    is_mine: bool

    @property
    def effective(self) -> Any:
        """The value that holds in the person's browser."""
        return self.mine if self.is_mine else self.team


def personal_slug(actor: Actor) -> str:
    """Return the slug of a person's own settings. Raises FORBIDDEN for programs: no key ever sees them."""
    if actor.user is None:
        raise forbidden("Personal settings belong to a person in a browser; a key has none.")
    return f"{PERSONAL_PREFIX}{actor.user.pk}"


def team_settings(actor: Actor) -> Settings:
    """Return the team's settings, every field filled."""
    return _settings(actor, TEAM_SLUG, DEFAULTS)


def personal_settings(actor: Actor) -> Settings:
    """Return what a person has set for herself in this team, and nothing else."""
    return _settings(actor, personal_slug(actor), {})


def settings_document(actor: Actor) -> dict[str, Any]:
    """Return the team's settings document with its defaults: what pages mark as active."""
    return team_settings(actor).document


def effective_document(actor: Actor) -> dict[str, Any]:
    """Return the settings that hold for the caller: a person's own before the team's; a key gets the team's alone."""
    team = settings_document(actor)
    return team if actor.user is None else team | personal_settings(actor).document


def stored_item(actor: Actor, slug: str) -> Item:
    """Return the item of stored settings. Raises NOT_FOUND while nobody has changed them."""
    item = find_item(actor, slug)
    if item is None:
        raise not_found("A revision of these settings")
    return item


def defaults_of(actor: Actor) -> dict[str, Default]:
    """Return for each setting what the team has, what the person has for herself, and which of the two holds."""
    team = settings_document(actor)
    mine = personal_settings(actor).document if actor.user is not None else {}
    return {name: Default(team[name], mine.get(name), is_mine=name in mine) for name in team}


def find_item(actor: Actor, slug: str) -> Item | None:
    """Return the item of stored settings, or None while nobody has changed them."""
    try:
        return selectors.get_item(actor, kind=NAME, slug=slug)
    except AppError:
        return None


def _settings(actor: Actor, slug: str, defaults: dict[str, Any]) -> Settings:
    item = find_item(actor, slug)
    if item is None:
        return Settings(dict(defaults), 0, NEVER_SAVED)
    revision = selectors.revision(item)
    document = defaults | selectors.document(item, revision)
    return Settings(document, revision.number, etag(item, revision.number), item)
