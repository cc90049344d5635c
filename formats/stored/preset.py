"""Kind `preset`: a bundle of format, context template, prompt config, stop strings, context size and strategy.

A field that is null or absent says nothing: what the chat, the person or the team has set holds there.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import orjson
from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError

from formats.stored.app_settings import MAX_CONTEXT_TOKENS, MIN_CONTEXT_TOKENS
from formats.stored.foreign import detect_foreign
from formats.stored.names import Name, mentions_of
from neotavern.ground.errors import AppError, Detail, ErrorCode
from neotavern.ground.validation import validation_refusal
from neotavern.ground.wire import WireModel
from neotavern.library.kinds import Detected, Exported, Kind, Loss, ValidDocument

NAME: Final = "preset"
VERSION: Final = 1
MAX_STOPS = 64
MAX_STOP_CHARACTERS = 1_024
MAX_TAGS = 64

Tag = Annotated[StrictStr, Field(min_length=1, max_length=64)]
StopString = Annotated[StrictStr, Field(min_length=1, max_length=MAX_STOP_CHARACTERS)]


class Preset(WireModel):
    """The preset document, version 1. Objects are named as `slug`, `slug@label` or `slug@number`."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["preset"] = "preset"
    version: Literal[1] = 1
    id: StrictStr
    name: StrictStr = Field(min_length=1, max_length=255)
    description: StrictStr = Field(default="", max_length=10_000)
    tags: tuple[Tag, ...] = Field(default=(), max_length=MAX_TAGS)
    instruct_format: Name = None
    context_template: Name = None
    prompt_config: Name = None
    stop_strings: tuple[StopString, ...] = Field(default=(), max_length=MAX_STOPS)
    max_context_tokens: StrictInt | None = Field(default=None, ge=MIN_CONTEXT_TOKENS, le=MAX_CONTEXT_TOKENS)
    reserve_for_reply: StrictInt | None = Field(default=None, ge=0, le=MAX_CONTEXT_TOKENS)
    context_strategy: Literal["truncate", "summarize", "vector-recall", "manual"] | None = None
    infill: Literal["auto", "keyword", "vector", "hybrid"] | None = None
    tokenizer: StrictStr | None = Field(default=None, max_length=200)
    serialize_as_text: StrictBool | None = None
    post_processing: (
        Literal["none", "merge", "merge_tools", "semi", "semi_tools", "strict", "strict_tools", "single"] | None
    ) = None
    thinking: StrictBool | None = None
    bos: Literal["keep", "omit"] | None = None
    special_token_policy: Literal["keep", "escape", "reject"] | None = None


def validate(document: Any) -> ValidDocument:
    """Return the preset as given, keys in camelCase and in the order of the model. Raises VALIDATION."""
    _refuse_other_version(document)
    try:
        parsed = Preset.model_validate(document)
    except ValidationError as error:
        raise validation_refusal([dict(fault) for fault in error.errors(include_url=False)]) from error
    given = {"kind": NAME, "version": VERSION} | parsed.model_dump(mode="json", by_alias=True, exclude_unset=True)
    mentions = mentions_of(given)
    return ValidDocument(
        document=given,
        name=parsed.name,
        slug=parsed.id,
        description=parsed.description,
        tags=tuple(dict.fromkeys(parsed.tags)),
        search_text="\n".join([*(str(mention.pointer) for mention in mentions), *parsed.stop_strings]),
        mentions=mentions,
    )


def _refuse_other_version(document: Any) -> None:
    version = document.get("version", VERSION) if isinstance(document, dict) else VERSION
    if isinstance(version, bool) or not isinstance(version, int) or version == VERSION:
        return
    message = f"Presets are read in version {VERSION}, not {version}."
    raise AppError(ErrorCode.UNSUPPORTED_VERSION, message, details=[Detail(path="version", message=message)])


def detect(document: Any) -> Detected | None:
    """Tell our own presets and other programs' files from anything else."""
    if isinstance(document, dict) and document.get("kind") == NAME:
        return Detected(f"{NAME} {document.get('version', VERSION)}")
    return detect_foreign(NAME, document)


def export_neotavern(document: dict[str, Any], version: str | None) -> Exported:
    """Return the bare file. What it names does not come with it, and the report says so."""
    body = orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    loss = [Loss(mention.path, f"names '{mention.pointer}' and does not hold it") for mention in mentions_of(document)]
    return Exported(body, "application/json", "json", loss)


KIND = Kind(
    name=NAME,
    title="preset",
    plural_path="presets",
    validate=validate,
    detect=detect,
    exporters={"neotavern": export_neotavern},
)
