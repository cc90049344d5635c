"""Finds what a request names: caller, settings and format by one query, compiled objects by content hash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from chats.services.cache import ContentCache
from chats.services.callers import ActorCaller, BuiltinCaller, Caller, TokenCaller
from chats.services.formats import ReadyFormat, builtin_format, inline_format, stored_format
from chats.services.request import RenderRequest
from formats.kinds import APP_SETTINGS, INSTRUCT_FORMAT
from formats.selectors import personal_slug
from formats.stored.app_settings import TEAM_SLUG
from neotavern.accounts import permissions
from neotavern.ground.errors import AppError, not_found
from neotavern.library import resolve
from neotavern.library.resolve import Found, Ref

SETTINGS: Final = Ref(APP_SETTINGS, TEAM_SLUG)
CACHED_SETTINGS: Final = 1024


@dataclass(frozen=True, slots=True)
class TeamSettings:
    """What holds for the caller, as far as renders read it. The defaults are those of a new team."""

    instruct_format: str | None = None
    serialize_as_text: bool | None = None
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lookup:
    """The answer for one request. `format` is None where the request or the team wants none."""

    caller: Caller
    team_id: int | None
    settings: TeamSettings
    format: ReadyFormat | None
    now: datetime


NEW_TEAM: Final = TeamSettings()
_DOCUMENTS: ContentCache[Mapping[str, Any]] = ContentCache(CACHED_SETTINGS)


def look_up(caller: Caller, request: RenderRequest, now: datetime) -> Lookup:
    """Return what `request` names for `caller`.

    Raises UNAUTHENTICATED, FORBIDDEN without the right to render, NOT_FOUND, and the refusal of an inline document.
    """
    if isinstance(caller, BuiltinCaller):
        return Lookup(caller, None, NEW_TEAM, _without_database(request), now)
    named = request.format if isinstance(request.format, str) else None
    references = _settings_references(caller)
    if named is not None:
        references = [*references, Ref.of(INSTRUCT_FORMAT, named)]
    resolution = resolve.resolve(_asking(caller), references, now=now)
    _authorise(caller, resolution.rights)
    settings = _settings(resolution.found if named is None else resolution.found[:-1])
    if named is not None:
        ready: ReadyFormat | None = _stored(resolution.found[-1], named)
    elif isinstance(request.format, dict):
        ready = inline_format(request.format)
    elif request.names_format or settings.instruct_format is None:
        ready = None
    else:
        ready = _of_team(resolution.team_id, settings.instruct_format, now)
    return Lookup(caller, resolution.team_id, settings, ready, now)


def default_format(lookup: Lookup, slug: str) -> ReadyFormat:
    """Return the format that stands in where text is wanted and none is set."""
    if isinstance(lookup.caller, BuiltinCaller):
        return builtin_format(slug)
    return _of_team(lookup.team_id, slug, lookup.now)


def _without_database(request: RenderRequest) -> ReadyFormat | None:
    if isinstance(request.format, str):
        return builtin_format(request.format)
    return None if request.format is None else inline_format(request.format)


def _asking(caller: TokenCaller | ActorCaller) -> resolve.Caller:
    if isinstance(caller, TokenCaller):
        return resolve.KeyCaller(caller.token)
    permissions.require(caller.actor, "render")
    return resolve.TeamCaller(caller.actor.team_id)


def _authorise(caller: Caller, rights: str) -> None:
    if isinstance(caller, TokenCaller) and not permissions.scopes_allow(frozenset(rights.split()), "render"):
        raise permissions.refusal("render")


def _of_team(team_id: int | None, text: str, now: datetime) -> ReadyFormat:
    found = resolve.resolve(resolve.TeamCaller(team_id), [Ref.of(INSTRUCT_FORMAT, text)], now=now).found
    return _stored(found[0], text)


def _stored(found: Found | None, text: str) -> ReadyFormat:
    if found is None:
        raise unknown_format(text)
    return stored_format(found)


def unknown_format(text: str) -> AppError:
    """Return the 404 for a slug, label or revision that does not exist or has nothing published."""
    return not_found(f"The format {text[:200]!r}", format=text[:200])


def _settings_references(caller: TokenCaller | ActorCaller) -> list[Ref]:
    """Return the team's settings and, for a person in a browser, her own; no key ever sees those."""
    if isinstance(caller, ActorCaller) and caller.actor.user is not None:
        return [SETTINGS, Ref(APP_SETTINGS, personal_slug(caller.actor))]
    return [SETTINGS]


def _settings(found: Sequence[Found | None]) -> TeamSettings:
    """Return the team's settings with a person's over them, field by field."""
    given = [_document(one) for one in found if one is not None]
    if not given:
        return NEW_TEAM
    document = given[0] if len(given) == 1 else {**given[0], **given[1]}
    return TeamSettings(
        instruct_format=document.get("instructFormat"),
        serialize_as_text=document.get("serializeAsText"),
        variables=document.get("variables") or {},
    )


def _document(found: Found) -> Mapping[str, Any]:
    return _DOCUMENTS.get_or_make(found.content_hash, lambda: resolve.document(found.revision_id))
