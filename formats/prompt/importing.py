"""Import and export: any known version in, version 2 in memory, version 2 or 1 out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from formats.prompt.document import VERSION, InstructFormat
from formats.prompt.errors import TEMPLATE_LIMIT, UNSUPPORTED_VERSION, VALIDATION, Fault, FormatError, path_of
from formats.prompt.fields import DOCUMENT_LIMIT
from formats.prompt.migrations import V1_FIELDS, Note, migrate, version_of
from formats.prompt.spelling import spell_document
from formats.prompt.templates import TEMPLATE_PATHS

_F = TypeVar("_F", bound=InstructFormat)
# pydantic puts the tag of a union into the place of an error; a reader of the document knows no tags
_UNION_TAGS: Final = frozenset({"text", "object"})
_REQUIRED_IN_EXPORT: Final = frozenset({"kind", "version"})


def import_instruct_format(document: Any) -> InstructFormat:
    """Read, migrate, check, compile and dry-render a document; FormatError names everything that is wrong."""
    return import_with_notes(document)[0]


def import_with_notes(document: Any) -> tuple[InstructFormat, list[Note]]:
    """The format, and what the migration could not keep."""
    return load(InstructFormat, document)


def export_instruct_format(fmt: InstructFormat, version: int = VERSION) -> dict[str, Any]:
    """JSON-safe values that share nothing with `fmt`: what was given for version 2, NeoTavern's eight fields for 1."""
    if version == VERSION:
        given = fmt.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return {"kind": fmt.kind, "version": fmt.version} | given
    if version == 1:
        full = dump_document(fmt)
        return {field: full[field] for field in V1_FIELDS} | {"version": 1}
    raise FormatError(
        Fault("version", f"version {version} can not be written; known are 1 and {VERSION}", UNSUPPORTED_VERSION)
    )


def dump_document(fmt: InstructFormat) -> dict[str, Any]:
    """The whole document, every default spelled out: what an editor's form shows."""
    return fmt.model_dump(mode="json", by_alias=True)


def load(model: type[_F], document: Any) -> tuple[_F, list[Note]]:
    """Both spellings, any version, all faults; the templates are compiled and tried before this returns."""
    from formats.prompt.cases import check_cases
    from formats.prompt.compiled import dry_render

    if not isinstance(document, Mapping):
        raise FormatError(Fault("", "a format must be a JSON object"))
    faults: list[Fault] = []
    spelled = spell_document(document, faults)
    try:
        newest, notes = migrate(spelled, version_of(spelled))
        fmt = _validated(model, newest)
    except FormatError as error:
        raise FormatError([*faults, *error.faults]) from None
    if faults:
        raise FormatError(faults)
    check_cases(fmt)
    dry_render(fmt)
    return fmt, notes


def _validated(model: type[_F], document: dict[str, Any]) -> _F:
    _check_size(document)
    try:
        valid: _F = model.__pydantic_validator__.validate_python(document)
    except ValidationError as error:
        raise FormatError(_faults_of(error)) from None
    return valid


def _check_size(document: Mapping[str, Any]) -> None:
    try:
        size = len(json.dumps(document, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass"))
    except (TypeError, ValueError, RecursionError) as error:
        raise FormatError(Fault("", f"a format must hold JSON values only: {error}")) from None
    if size > DOCUMENT_LIMIT:
        raise FormatError(Fault("", f"a format must have at most {DOCUMENT_LIMIT} bytes, this one has {size}"))


def _faults_of(error: ValidationError) -> list[Fault]:
    return [_fault_of(dict(entry)) for entry in error.errors(include_url=False, include_input=False)]


def _fault_of(entry: dict[str, Any]) -> Fault:
    place = entry["loc"]
    if place and place[0] == "specialTokens":
        place = tuple(step for step in place if step not in _UNION_TAGS)
    path, kind, context = path_of(place), entry["type"], entry.get("ctx", {})
    if kind == "string_too_long" and (path in TEMPLATE_PATHS or path == "chatTemplate"):
        return Fault(path, f"must have at most {context['max_length']} characters", TEMPLATE_LIMIT)
    return Fault(path, _WORDS.get(kind, entry["msg"]).format(**context), VALIDATION)


# pydantic's sentences speak of inputs and tuples; a reader of a document knows strings and arrays
_WORDS: Final[Mapping[str, str]] = {
    "extra_forbidden": "unknown field",
    "missing": "is required",
    "string_type": "must be a string",
    "string_too_short": "must have at least {min_length} character",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must be a slug: letters, digits, `.`, `_` and `-`, beginning with a letter or digit",
    "string_unicode": "must be valid Unicode",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "tuple_type": "must be an array",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "too_long": "must have at most {max_length} entries",
    "literal_error": "must be one of {expected}",
    "value_error": "{error}",
}
