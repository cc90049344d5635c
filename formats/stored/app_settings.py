"""Kind `app-settings`: what a team (or one person of it) renders with unless a request says otherwise."""

from __future__ import annotations

import re
from typing import Any, Literal

from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError, field_validator

from formats.stored.names import Name, mentions_of
from neotavern.ground.validation import validation_refusal
from neotavern.ground.wire import WireModel
from neotavern.library.kinds import Kind, ValidDocument

NAME = "app-settings"
TEAM_SLUG = "team"
PERSONAL_PREFIX = "user-"
MAX_VARIABLES = 64
MAX_VARIABLE_CHARACTERS = 2_048
MIN_CONTEXT_TOKENS = 1
MAX_CONTEXT_TOKENS = 10_000_000
_VARIABLE = re.compile(r"[^\W\d][\w.-]{0,63}")
"""What a macro can be called: letters of any script, so `{{Straße}}` is a name and `{{a b}}` is none."""


class AppSettings(WireModel):
    """The settings document. Absent fields have the defaults here; a null format is native structured serialisation."""

    model_config = ConfigDict(frozen=True)

    instruct_format: Name = None
    context_template: Name = None
    prompt_config: Name = None
    preset: Name = None
    serialize_as_text: StrictBool | None = None
    variables: dict[StrictStr, StrictStr] = Field(default={}, max_length=MAX_VARIABLES)
    infill: Literal["auto", "keyword", "vector", "hybrid"] | None = None
    context_strategy: Literal["truncate", "summarize", "vector-recall", "manual"] = "truncate"
    max_context_tokens: StrictInt | None = Field(default=None, ge=MIN_CONTEXT_TOKENS, le=MAX_CONTEXT_TOKENS)
    reserve_for_reply: StrictInt | None = Field(default=None, ge=0, le=MAX_CONTEXT_TOKENS)
    context_cut: StrictInt | None = Field(default=None, ge=0, le=MAX_CONTEXT_TOKENS)

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
        raise validation_refusal([dict(fault) for fault in error.errors(include_url=False)]) from error
    given = parsed.model_dump(by_alias=True, exclude_unset=True)
    return ValidDocument(document=given, name="AppSettings", mentions=mentions_of(given))


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
    personal_prefix=PERSONAL_PREFIX,
)
