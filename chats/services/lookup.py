"""Finds what a request names: caller, settings and format by one query, compiled objects by content hash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.utils import timezone

from chats.lore import CompiledBook
from chats.services.books import stored_book
from chats.services.callers import ActorCaller, BuiltinCaller, Caller, TokenCaller
from chats.services.cast import named_objects
from chats.services.formats import ReadyFormat, builtin_format, inline_format, stored_format
from chats.services.presets import with_preset
from chats.services.request import RenderRequest
from chats.services.team_settings import NEW_TEAM, TeamSettings, preset_document, settings_of
from formats.kinds import APP_SETTINGS, INSTRUCT_FORMAT, PRESET
from formats.prompt.findings import Finding
from formats.selectors import personal_slug
from formats.stored.app_settings import TEAM_SLUG
from neotavern.accounts import permissions
from neotavern.ground.errors import AppError, invalid, not_found
from neotavern.library import resolve
from neotavern.library.resolve import Found, Ref

SETTINGS: Final = Ref(APP_SETTINGS, TEAM_SLUG)


@dataclass(frozen=True, slots=True)
class Lookup:
    """The answer for one request. `format` is None where the request or the team wants none.

    `request` is the one to render: that of the caller, with what its preset gives.
    """

    caller: Caller
    team_id: int | None
    settings: TeamSettings
    format: ReadyFormat | None
    now: datetime
    request: RenderRequest
    findings: Sequence[Finding] = ()
    objects: Mapping[Ref, Found | None] = field(default_factory=dict)

    def document(self, kind: str, name: str) -> Mapping[str, Any]:
        """Return the document of an object that the request names. Raises NOT_FOUND."""
        return resolve.document(self._found(kind, name).revision_id)

    def book(self, name: str) -> CompiledBook:
        """Return a stored lorebook ready for searching. Raises NOT_FOUND."""
        return stored_book(self._found("lorebook", name), name)

    def _found(self, kind: str, name: str) -> Found:
        found = self.objects.get(Ref.of(kind, name))
        if found is None:
            raise not_found(f"The {kind} {name[:200]!r}", **{kind: name[:200]})
        return found


def look_up(caller: Caller, request: RenderRequest, now: datetime) -> Lookup:
    """Return what `request` names for `caller`.

    Raises UNAUTHENTICATED, FORBIDDEN without the right to render, NOT_FOUND, and the refusal of an inline document.
    """
    if isinstance(caller, BuiltinCaller):
        return Lookup(caller, None, NEW_TEAM, _without_database(request), now, request)
    own = _settings_references(caller)
    named = _named(request)
    resolution = resolve.resolve(_asking(caller), [*own, *named], now=now)
    _authorise(caller, resolution.rights)
    team_id, found = resolution.team_id, dict(zip(named, resolution.found[len(own) :], strict=True))
    settings = settings_of(team_id, resolution.found[: len(own)], now, presets="preset" not in request.model_fields_set)
    filled = request
    findings: Sequence[Finding] = ()
    if request.preset is not None:
        preset = preset_document(found[Ref.of(PRESET, request.preset)], request.preset)
        settings = settings.under(preset)
        filled, findings = with_preset(request, preset, named=True)
    elif settings.preset is not None:
        filled, findings = with_preset(request, settings.preset, named=request.names_a_story)
    ready = _format(team_id, request, settings, found, now)
    return Lookup(caller, team_id, settings, ready, now, filled, findings, found)


def check_caller(caller: Caller) -> None:
    """Check a caller who names nothing. Raises UNAUTHENTICATED, and FORBIDDEN without the right to render."""
    if not isinstance(caller, BuiltinCaller):
        _authorise(caller, resolve.resolve(_asking(caller), [], now=timezone.now()).rights)


def _named(request: RenderRequest) -> list[Ref]:
    """Return what the request itself names by slug."""
    names = [(INSTRUCT_FORMAT, request.format), (PRESET, request.preset), *named_objects(request)]
    return [Ref.of(kind, name) for kind, name in names if isinstance(name, str)]


def _format(
    team_id: int | None,
    request: RenderRequest,
    settings: TeamSettings,
    found: Mapping[Ref, Found | None],
    now: datetime,
) -> ReadyFormat | None:
    if isinstance(request.format, str):
        return _stored(found[Ref.of(INSTRUCT_FORMAT, request.format)], request.format)
    if isinstance(request.format, dict):
        return inline_format(request.format)
    if request.names_format or settings.instruct_format is None:
        return None
    return _of_team(team_id, settings.instruct_format, now)


def default_format(lookup: Lookup, slug: str) -> ReadyFormat:
    """Return the format that stands in where text is wanted and none is set."""
    if isinstance(lookup.caller, BuiltinCaller):
        return builtin_format(slug)
    return _of_team(lookup.team_id, slug, lookup.now)


def _without_database(request: RenderRequest) -> ReadyFormat | None:
    if request.preset is not None:
        raise invalid("preset", "Presets are stored in the library, and this command reads none.")
    for kind, name in named_objects(request):
        raise invalid(kind, f"{name[:200]!r} would be in the library, and this command reads none.")
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
