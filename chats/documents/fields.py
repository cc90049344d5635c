"""Field types and the base model of the documents: frozen, closed, camelCase, snake_case read too."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, Field, JsonValue, StringConstraints
from pydantic.alias_generators import to_camel

from formats.prompt.fields import Closed, sequence

LONG_TEXT: Final = 100_000
SHORT_TEXT: Final = 500
KEY_LENGTH: Final = 1_000
KEY_LIMIT: Final = 256
LIST_LIMIT: Final = 256
DEPTH_LIMIT: Final = 9_999
NUMBER_LIMIT: Final = 1_000_000

_REFERENCE: Final = r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,127}(@[A-Za-z0-9][A-Za-z0-9._-]{0,63})?\z"
_SLUG: Final = r"\A[A-Za-z0-9][A-Za-z0-9._-]*\z"


def _storable(text: str) -> str:
    """Refuse what no database and no UTF-8 can hold."""
    if "\0" in text:
        raise ValueError("must not contain a NUL character")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ValueError("must be valid Unicode") from None
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


# The length comes first: behind a validator of ours pydantic would count "entries" instead of characters
LongText = Annotated[str, StringConstraints(max_length=LONG_TEXT), AfterValidator(_storable)]
ShortText = Annotated[str, StringConstraints(max_length=SHORT_TEXT), AfterValidator(_storable)]
FilledText = Annotated[str, StringConstraints(min_length=1, max_length=LONG_TEXT), AfterValidator(_storable)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=64), AfterValidator(_storable)]
Name = Annotated[ShortText, AfterValidator(_not_blank)]
VariableText = Annotated[str, StringConstraints(max_length=2_048), AfterValidator(_storable)]
Key = Annotated[str, StringConstraints(max_length=KEY_LENGTH), AfterValidator(_storable)]
Reference = Annotated[str, StringConstraints(pattern=_REFERENCE)]
"""How one object names another: `slug`, `slug@label`, `slug@7`."""

Slug = Annotated[str, StringConstraints(pattern=_SLUG, max_length=128)]
Depth = Annotated[int, Field(ge=0, le=DEPTH_LIMIT)]
Count = Annotated[int, Field(ge=0, le=NUMBER_LIMIT)]
Rank = Annotated[int, Field(ge=-NUMBER_LIMIT, le=NUMBER_LIMIT)]
Role = Literal["system", "user", "assistant"]
GenerationType = Literal["normal", "continue", "regenerate", "impersonate", "quiet"]
Extensions = dict[str, JsonValue]


class Stored(Closed):
    """Base of what the library keeps: one object of one kind, whose `id` is its slug."""

    id: Slug | None = None
    tags: tuple[Label, ...] = sequence(limit=64)
    extensions: Extensions = Field(default_factory=dict)


def fields_of(model: type[BaseModel]) -> frozenset[str]:
    """Return every key that a document of `model` may have, in both spellings."""
    return frozenset({*model.model_fields, *(to_camel(name) for name in model.model_fields)})
