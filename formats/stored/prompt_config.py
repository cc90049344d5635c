"""Kind `prompt-config`: instructions and the list of prompt blocks."""

from __future__ import annotations

from typing import Any, Final

from pydantic import ValidationError

from formats.context.prompt_config import NAME as KIND_NAME
from formats.context.prompt_config import VERSION, PromptConfig
from formats.stored.files import export_bare
from formats.stored.foreign import detect_foreign
from formats.stored.slugs import suggest_slug, with_slug
from neotavern.ground.errors import AppError, Detail, ErrorCode
from neotavern.ground.validation import validation_refusal
from neotavern.library.kinds import Detected, Kind, ValidDocument

NAME: Final = KIND_NAME


def validate(document: Any) -> ValidDocument:
    """Return the config as given, keys in camelCase and in the order of the model. Raises VALIDATION."""
    _refuse_other_version(document)
    try:
        parsed = PromptConfig.model_validate(document)
    except ValidationError as error:
        raise validation_refusal([dict(fault) for fault in error.errors(include_url=False)]) from error
    given = {"kind": NAME, "version": VERSION} | parsed.model_dump(mode="json", by_alias=True, exclude_unset=True)
    blocks = [block.content for block in parsed.blocks or () if block.content]
    return ValidDocument(
        document=given,
        name=parsed.name or parsed.id or "Prompt config",
        slug=parsed.id,
        suggested_slug=suggest_slug(parsed.name, NAME),
        description=parsed.description,
        tags=tuple(dict.fromkeys(parsed.tags)),
        search_text="\n".join([parsed.system_prompt, parsed.post_history_instructions, *blocks]),
    )


def _refuse_other_version(document: Any) -> None:
    version = document.get("version", VERSION) if isinstance(document, dict) else VERSION
    if isinstance(version, bool) or not isinstance(version, int) or version == VERSION:
        return
    message = f"Prompt configs are read in version {VERSION}, not {version}."
    raise AppError(ErrorCode.UNSUPPORTED_VERSION, message, details=[Detail(path="version", message=message)])


def detect(document: Any) -> Detected | None:
    """Tell our own prompt configs and other programs' files from anything else."""
    if isinstance(document, dict) and document.get("kind") == NAME:
        return Detected(f"{NAME} {document.get('version', VERSION)}")
    return detect_foreign(NAME, document)


KIND = Kind(
    name=NAME,
    title="prompt config",
    plural_path="prompt-configs",
    validate=validate,
    detect=detect,
    with_slug=with_slug,
    exporters={"neotavern": export_bare},
)
