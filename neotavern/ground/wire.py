"""Base of the models that bodies are read into: camelCase on the wire, snake_case too, never both, nothing unknown."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.alias_generators import to_camel


class WireModel(BaseModel):
    """A plain pydantic model whose fields are camelCase in JSON."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    _snake_names: ClassVar[frozenset[str]] = frozenset()
    """Field names whose camelCase form differs; kept per class, since every request is checked against them."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        cls._snake_names = frozenset(name for name in cls.model_fields if to_camel(name) != name)

    @model_validator(mode="before")
    @classmethod
    def _one_spelling(cls, value: Any) -> Any:
        """Refuse a field given in both spellings: one of the two would be lost in silence."""
        if isinstance(value, dict) and not cls._snake_names.isdisjoint(value):
            for name in cls._snake_names & value.keys():
                if (alias := to_camel(name)) in value:
                    raise ValueError(f"both {alias!r} and {name!r} are given: keep one")
        return value
