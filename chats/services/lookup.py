"""Finds what a request names: caller, settings and format by one query, compiled objects by content hash."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from chats.services.stored_chat import StoredChat
from chats.services.team_settings import NEW_TEAM, TeamSettings, preset_document, settings_of
from chats.stored.names import CHAT, CONTEXT_TEMPLATE, LOREBOOK, PROMPT_CONFIG
from formats.kinds import APP_SETTINGS, INSTRUCT_FORMAT, PRESET
from formats.prompt.findings import Finding
from formats.selectors import personal_slug
from formats.stored.app_settings import TEAM_SLUG
from neotavern.accounts import permissions
from neotavern.ground.errors import AppError, invalid, not_found
from neotavern.library import resolve
from neotavern.library.resolve import Found, Ref

PARAMS: Final = {PROMPT_CONFIG: "promptConfig", CONTEXT_TEMPLATE: "contextTemplate"}
"""Kind → the parameter of a 404 that has the name, where it is another word."""

SETTINGS: Final = Ref(APP_SETTINGS, TEAM_SLUG)


@dataclass(slots=True)
class Lookup:
    """The answer for one request. `format` is None where the request or the team wants none.

    `request` is the one to render: that of the caller, with what its chat and preset give. `names_infill`: the caller's
    own request says which infill engine it wants.
    """

    caller: Caller
    team_id: int | None
    settings: TeamSettings
    format: ReadyFormat | None
    now: datetime
    request: RenderRequest
    findings: Sequence[Finding] = ()
    chat: StoredChat | None = None
    objects: dict[Ref, Found | None] = field(default_factory=dict)
    names_infill: bool = False

    def document(self, kind: str, name: str) -> Mapping[str, Any]:
        """Return the document of an object that the request names. Raises NOT_FOUND."""
        return resolve.document(_known(self.objects, kind, name).revision_id)

    def book(self, name: str) -> CompiledBook:
        """Return a stored lorebook ready for searching. Raises NOT_FOUND."""
        return stored_book(_known(self.objects, LOREBOOK, name), name)

    def more(self, kind: str, names: Iterable[str]) -> None:
        """Find more objects, which those found before name, by one query."""
        self.objects.update(_more(self.caller, [Ref.of(kind, name) for name in names], self.objects, self.now))


def look_up(caller: Caller, request: RenderRequest, now: datetime, *, draft: Mapping[str, Any] | None = None) -> Lookup:
    """Return what `request` names for `caller`; `draft` are settings in place of those that its chat has stored.

    Raises UNAUTHENTICATED, FORBIDDEN without the right to render, NOT_FOUND, and the refusal of an inline document.
    """
    if isinstance(caller, BuiltinCaller):
        ready = _without_database(request)
        return Lookup(caller, None, NEW_TEAM, ready, now, request, names_infill=request.infill is not None)
    own = _settings_references(caller)
    named = _named(request)
    resolution = resolve.resolve(_asking(caller), [*own, *named], now=now)
    _authorise(caller, resolution.rights)
    team_id, found = resolution.team_id, dict(zip(named, resolution.found[len(own) :], strict=True))
    findings: list[Finding] = []
    chat, names_infill = None, request.infill is not None
    if request.chat is not None:
        chat = StoredChat.of(_known(found, CHAT, request.chat), draft)
        request = chat.filled(request, _named_preset(request, found))
        found |= _more(caller, _named(request), found, now)
    settings = settings_of(team_id, resolution.found[: len(own)], now, presets="preset" not in request.model_fields_set)
    filled, settings = _with_preset(request, settings, found)
    ready = _format(team_id, request, settings, found, now)
    made = Lookup(caller, team_id, settings, ready, now, filled, findings, chat, found, names_infill)
    for kind, name in ((PROMPT_CONFIG, filled.prompt_config), (CONTEXT_TEMPLATE, filled.context_template)):
        if isinstance(name, str):
            made.more(kind, [name])
    return made


def _with_preset(
    request: RenderRequest, settings: TeamSettings, found: Mapping[Ref, Found | None]
) -> tuple[RenderRequest, TeamSettings]:
    """Return request and settings with the preset that holds: the request's or its chat's, else the default one."""
    if request.preset is not None:
        preset = preset_document(found[Ref.of(PRESET, request.preset)], request.preset)
        settings = settings.under(preset)
        request = with_preset(request, preset, named=True)
    elif settings.preset is not None:
        request = with_preset(request, settings.preset, named=request.names_a_story)
    if request.names_a_story and "prompt_config" not in request.model_fields_set and settings.prompt_config:
        request = request.model_copy(update={"prompt_config": settings.prompt_config})
    if request.names_a_story and "context_template" not in request.model_fields_set and settings.context_template:
        request = request.model_copy(update={"context_template": settings.context_template})
    return request, settings


def _named_preset(request: RenderRequest, found: Mapping[Ref, Found | None]) -> Mapping[str, Any]:
    """Return the document of the preset that the request itself names; an empty one where it names none."""
    if request.preset is None:
        return {}
    return preset_document(found[Ref.of(PRESET, request.preset)], request.preset)


def _more(
    caller: Caller, references: Iterable[Ref], known: Mapping[Ref, Found | None], now: datetime
) -> dict[Ref, Found | None]:
    """Return what further references mean for the same caller: what is private to others is not there."""
    unknown = [ref for ref in dict.fromkeys(references) if ref not in known]
    if not unknown or isinstance(caller, BuiltinCaller):
        return {}
    return dict(zip(unknown, resolve.resolve(_asking(caller), unknown, now=now).found, strict=True))


def _known(found: Mapping[Ref, Found | None], kind: str, name: str) -> Found:
    one = found.get(Ref.of(kind, name))
    if one is None:
        raise not_found(f"The {kind} {name[:200]!r}", **{PARAMS.get(kind, kind): name[:200]})
    return one


def check_caller(caller: Caller) -> None:
    """Check a caller who names nothing. Raises UNAUTHENTICATED, and FORBIDDEN without the right to render."""
    if not isinstance(caller, BuiltinCaller):
        _authorise(caller, resolve.resolve(_asking(caller), [], now=timezone.now()).rights)


def _named(request: RenderRequest) -> list[Ref]:
    """Return what the request itself names by slug."""
    names = [(INSTRUCT_FORMAT, request.format), (PRESET, request.preset), *named_objects(request)]
    return list(dict.fromkeys(Ref.of(kind, name) for kind, name in names if isinstance(name, str)))


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
    return resolve.TeamCaller.of(caller.actor)


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
