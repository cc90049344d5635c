"""Context template: the document that puts a prompt together from role blocks, facts and the chat's messages."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Field, JsonValue, StringConstraints
from pydantic import ValidationError as PydanticError

from formats.prompt.errors import UNSUPPORTED_VERSION, Fault, FormatError, path_of
from formats.prompt.fields import Closed, Slug, Tag, Template, Text, sequence

NAME: Final = "context-template"
VERSION: Final = 1


class ContextTemplate(Closed):
    """The document. An inline one in a request needs its `template` alone.

    `blankLines` "collapse": what an absent section leaves of its line ends is not printed; "keep" prints the template
    as it stands. `historyOrder` "date": dated lore stands newest first, not by relevance.
    """

    kind: Literal["context-template"] = "context-template"
    version: Literal[1] = 1
    id: Slug | None = None
    name: Annotated[Text, StringConstraints(max_length=255)] = ""
    description: Annotated[Text, Field(max_length=10_000)] = ""
    tags: tuple[Tag, ...] = sequence(limit=64)
    template: Template
    blank_lines: Literal["collapse", "keep"] = "collapse"
    history_order: Literal["relevance", "date"] = "relevance"
    extensions: dict[str, JsonValue] = Field(default_factory=dict)


def read_context_template(document: Any) -> ContextTemplate:
    """Return the document as a value. Raises FormatError with every fault; places are those of the document."""
    if not isinstance(document, dict):
        raise FormatError(Fault("", "a context template must be an object"))
    version = document.get("version", VERSION)
    if isinstance(version, int) and not isinstance(version, bool) and version != VERSION:
        text = f"context templates are read in version {VERSION}, not {version}"
        raise FormatError(Fault("version", text, UNSUPPORTED_VERSION))
    try:
        return ContextTemplate.model_validate(document)
    except PydanticError as error:
        listed = error.errors(include_url=False, include_input=False)
        raise FormatError(Fault(path_of(one["loc"]), _words(dict(one))) for one in listed) from None


def _words(fault: dict[str, Any]) -> str:
    known = {
        "missing": "is required",
        "extra_forbidden": "unknown field",
        "string_type": "must be a string",
        "string_too_long": "must have at most {max_length} characters",
        "value_error": "{error}",
    }
    return str(known.get(fault["type"], fault["msg"])).format(**fault.get("ctx", {}))
