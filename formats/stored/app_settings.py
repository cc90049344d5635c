"""Kind `app-settings`: what a team (or one person of it) renders with unless a request says otherwise."""

from __future__ import annotations

import re
from typing import Any, Literal

from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError, field_validator

from neotavern.ground.errors import AppError
from neotavern.ground.validation import validation_refusal
from neotavern.ground.wire import WireModel
from neotavern.library.kinds import Kind, Mention, ValidDocument
from neotavern.library.pointers import is_slug, parse_pointer

NAME = "app-settings"
TEAM_SLUG = "team"
PERSONAL_PREFIX = "user-"
MAX_VARIABLES = 64
MAX_VARIABLE_CHARACTERS = 2_048
MIN_CONTEXT_TOKENS = 1
MAX_CONTEXT_TOKENS = 10_000_000
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
_REFERENCES = {
    "instructFormat": "instruct-format",
    "contextTemplate": "context-template",
    "promptConfig": "prompt-config",
    "preset": "preset",
}


class AppSettings(WireModel):
    """The settings document. Absent fields have the defaults here; a null format is native structured serialisation."""

    model_config = ConfigDict(frozen=True)

    instruct_format: StrictStr | None = None
    context_template: None = None
    prompt_config: None = None
    preset: None = None
    serialize_as_text: StrictBool | None = None
    variables: dict[StrictStr, StrictStr] = Field(default={}, max_length=MAX_VARIABLES)
    infill: Literal["auto", "keyword", "vector", "hybrid"] | None = None
    context_strategy: Literal["truncate", "summarize", "vector-recall", "manual"] = "truncate"
    max_context_tokens: StrictInt | None = Field(default=None, ge=MIN_CONTEXT_TOKENS, le=MAX_CONTEXT_TOKENS)
    reserve_for_reply: StrictInt | None = Field(default=None, ge=0, le=MAX_CONTEXT_TOKENS)

    @field_validator("instruct_format")
    @classmethod
    def _names_a_format(cls, value: str | None) -> str | None:
        if value is not None and not is_slug(parse_pointer(value).slug):
            raise ValueError("a format is named as slug, slug@label or slug@number")
        return value

    @field_validator("variables")
    @classmethod
    def _sane_variables(cls, value: dict[str, str]) -> dict[str, str]:
        for name, text in value.items():
            if not _VARIABLE.fullmatch(name):
                raise ValueError(f"{name[:80]!r} is no name: a letter or _, then letters, digits, . _ - (at most 64)")
            if len(text) > MAX_VARIABLE_CHARACTERS:
                raise ValueError(f"the value of {name!r} has more than {MAX_VARIABLE_CHARACTERS:,} characters")
        return value


DEFAULTS: dict[str, Any] = AppSettings().model_dump(by_alias=True)


def validate(document: Any) -> ValidDocument:
    """Return the settings as given, keys in camelCase and in the order of the model. Raises VALIDATION."""
    try:
        parsed = AppSettings.model_validate(document)
    except ValidationError as error:
        raise _refusal(error) from error
    given = parsed.model_dump(by_alias=True, exclude_unset=True)
    mentions = [
        Mention(path, kind, parse_pointer(given[path])) for path, kind in _REFERENCES.items() if given.get(path)
    ]
    return ValidDocument(document=given, name="AppSettings", mentions=mentions)


def _refusal(error: ValidationError) -> AppError:
    faults = [dict(fault) for fault in error.errors(include_url=False)]
    for fault in faults:
        if fault["type"] == "none_required":
            fault["msg"] = "nothing of this kind is stored here yet: only null is possible"
    return validation_refusal(faults)


def _no_slug(document: dict[str, Any], slug: str) -> dict[str, Any]:
    return document


def _shown_slug(slug: str) -> str:
    """Return `user` for a person's own settings: whose they are is nobody's business, least of all a key's."""
    return "user" if slug.startswith(PERSONAL_PREFIX) else slug


KIND = Kind(
    name=NAME,
    title="settings",
    validate=validate,
    with_slug=_no_slug,
    audits_documents=True,
    shown_slug=_shown_slug,
)
