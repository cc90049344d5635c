"""The one error of this package, with every fault of a document, in words that its reader knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from formats.prompt.errors import VALIDATION, Fault, PromptError, path_of


class DocumentError(PromptError):
    """A document that can not be used: `faults` says where and why, for each fault."""


def error_of(error: ValidationError, prefix: str = "") -> DocumentError:
    """Return what pydantic found as our error; `prefix` is the place of the document in what the caller sent."""
    listed = error.errors(include_url=False, include_input=False)
    return DocumentError([_fault(dict(entry)).within(prefix) for entry in listed])


def _fault(entry: dict[str, Any]) -> Fault:
    words = _WORDS.get(entry["type"], entry["msg"])
    return Fault(path_of(entry["loc"]), words.format(**entry.get("ctx", {})), VALIDATION)


# pydantic speaks of inputs and tuples; the reader of a document knows strings and arrays
_WORDS: Final[Mapping[str, str]] = {
    "extra_forbidden": "unknown field",
    "missing": "is required",
    "string_type": "must be a string",
    "string_too_short": "must have at least {min_length} character",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must be a slug, with @label or @number behind it where it names another object",
    "string_unicode": "must be valid Unicode",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "tuple_type": "must be an array",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "too_long": "must have at most {max_length} entries",
    "literal_error": "must be one of {expected}",
    "value_error": "{error}",
}
