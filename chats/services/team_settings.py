"""AppSettings as renders read them: a person's over the team's, each with the preset that it names beneath it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from chats.services.cache import ContentCache
from formats.kinds import PRESET
from neotavern.ground.errors import not_found
from neotavern.library import resolve
from neotavern.library.resolve import Found, Ref

CACHED_DOCUMENTS: Final = 1024
_DOCUMENTS: ContentCache[Mapping[str, Any]] = ContentCache(CACHED_DOCUMENTS)
_FROM_PRESET: Final = ("instructFormat", "serializeAsText")
"""Settings that a preset has too; the rest of it goes into the request."""


@dataclass(frozen=True, slots=True)
class TeamSettings:
    """What holds for the caller. The defaults are those of a new team; `preset` is the document of a default one."""

    instruct_format: str | None = None
    serialize_as_text: bool | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    max_context_tokens: int | None = None
    reserve_for_reply: int | None = None
    context_strategy: str | None = None
    context_cut: int = 0
    infill: str | None = None
    prompt_config: str | None = None
    context_template: str | None = None
    preset: Mapping[str, Any] | None = None

    def under(self, preset: Mapping[str, Any]) -> TeamSettings:
        """Return the settings with those of a preset that the request names over them."""
        stored = preset.get("serializeAsText")
        return replace(
            self,
            prompt_config=preset.get("promptConfig") or self.prompt_config,
            context_template=preset.get("contextTemplate") or self.context_template,
            instruct_format=preset.get("instructFormat") or self.instruct_format,
            serialize_as_text=self.serialize_as_text if stored is None else stored,
        )


NEW_TEAM: Final = TeamSettings()


def settings_of(team_id: int | None, found: Sequence[Found | None], now: datetime, *, presets: bool) -> TeamSettings:
    """Return the settings of `found`, the team's first and a person's after it, field by field.

    `presets` False leaves out the presets that they name: the request has one of its own, or wants none.
    """
    levels = [_document(one) for one in found if one is not None]
    if not levels:
        return NEW_TEAM
    preset: Mapping[str, Any] | None = None
    if presets and any(level.get("preset") for level in levels):
        levels, preset = _with_presets(team_id, levels, now)
    document = levels[0] if len(levels) == 1 else {**levels[0], **levels[1]}
    return TeamSettings(
        instruct_format=document.get("instructFormat"),
        serialize_as_text=document.get("serializeAsText"),
        variables=document.get("variables") or {},
        max_context_tokens=document.get("maxContextTokens"),
        reserve_for_reply=document.get("reserveForReply"),
        context_strategy=document.get("contextStrategy"),
        prompt_config=document.get("promptConfig"),
        context_template=document.get("contextTemplate"),
        context_cut=document.get("contextCut") or 0,
        infill=document.get("infill"),
        preset=preset,
    )


def _with_presets(
    team_id: int | None, levels: list[Mapping[str, Any]], now: datetime
) -> tuple[list[Mapping[str, Any]], Mapping[str, Any] | None]:
    """Return each level over the preset that it names, and the preset of the highest level; a null there means none."""
    if "preset" in levels[-1] and levels[-1]["preset"] is None:
        return levels, None
    names = [level["preset"] for level in levels if level.get("preset")]
    references = [Ref.of(PRESET, name) for name in names]
    found = resolve.resolve(resolve.TeamCaller(team_id), references, now=now).found
    documents = {name: preset_document(one, name) for name, one in zip(names, found, strict=True)}
    filled = [_over(level, documents.get(level.get("preset", ""), {})) for level in levels]
    return filled, documents[names[-1]]


def _over(level: Mapping[str, Any], preset: Mapping[str, Any]) -> Mapping[str, Any]:
    given = {name: preset[name] for name in _FROM_PRESET if preset.get(name) is not None and level.get(name) is None}
    return {**level, **given} if given else level


def preset_document(found: Found | None, name: str) -> Mapping[str, Any]:
    """Return the document of a preset. Raises NOT_FOUND for one that does not exist or has nothing published."""
    if found is None:
        raise not_found(f"The preset {name[:200]!r}", preset=name[:200])
    return _document(found)


def _document(found: Found) -> Mapping[str, Any]:
    return _DOCUMENTS.get_or_make(found.content_hash, lambda: resolve.document(found.revision_id))
