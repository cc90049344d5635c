"""Field types of the format document: closed vocabularies, bounded strings, and the base model with both spellings."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic.alias_generators import to_camel

TEMPLATE_LIMIT: Final = 32_768
DOCUMENT_LIMIT: Final = 1_048_576
STOP_LIMIT: Final = 64
STOP_LENGTH: Final = 1_024

FirstSystem = Literal["block", "fold_first_user", "fold_last_user", "as_user", "drop", "error"]
LaterSystem = Literal["block", "as_user", "merge_first", "drop", "error"]
Alternation = Literal["none", "merge", "filler", "error"]
Names = Literal["none", "prefix", "template"]
Placement = Literal["system", "first_user", "last_user", "separate"]
MediaOrder = Literal["given", "first", "pair"]
Parse = Literal["exact", "lines", "blanks"]
ToolFormat = Literal["json", "json_indented", "json_compact", "json_minified", "yaml", "typescript"]


def _no_nul(text: str) -> str:
    # A NUL can not be stored by PostgreSQL, and no prompt needs one.
    if "\0" in text:
        raise ValueError("must not contain a NUL character")
    return text


Text = Annotated[str, AfterValidator(_no_nul)]
Template = Annotated[str, StringConstraints(max_length=TEMPLATE_LIMIT), AfterValidator(_no_nul)]
Literal_ = Annotated[str, StringConstraints(max_length=TEMPLATE_LIMIT), AfterValidator(_no_nul)]
Slug = Annotated[str, StringConstraints(pattern=r"\A[A-Za-z0-9][A-Za-z0-9._-]*\z", max_length=128)]
StopString = Annotated[str, StringConstraints(min_length=1, max_length=STOP_LENGTH), AfterValidator(_no_nul)]
Tag = Annotated[str, StringConstraints(min_length=1, max_length=64), AfterValidator(_no_nul)]


class DocumentModel(BaseModel):
    """Frozen, strict, closed: an unknown key is an error. Python names are snake_case, documents camelCase."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        alias_generator=to_camel,
        populate_by_name=True,
        hide_input_in_errors=True,
    )


class Closed(DocumentModel):
    """A document that takes both spellings of a key, and refuses a field that is given in both."""

    _snake_names: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        cls._snake_names = frozenset(name for name in cls.model_fields if to_camel(name) != name)

    @model_validator(mode="before")
    @classmethod
    def _one_spelling(cls, value: Any) -> Any:
        """Refuse a field given twice: one of the two would be lost in silence."""
        if isinstance(value, dict) and not cls._snake_names.isdisjoint(value):
            for name in cls._snake_names & value.keys():
                if (alias := to_camel(name)) in value:
                    raise ValueError(f"both {alias!r} and {name!r} are given: keep one")
        return value


def sequence(*, limit: int | None = None) -> Any:
    """A list in the document, a tuple in memory: a frozen model must not hold something that can be appended to."""
    return Field(default=(), strict=False, max_length=limit)
