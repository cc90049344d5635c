"""Base of the models that bodies are read into: camelCase on the wire, snake_case too, never both, nothing unknown."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.alias_generators import to_camel


class WireModel(BaseModel):
    """A plain pydantic model whose fields are camelCase in JSON."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _one_spelling(cls, value: Any) -> Any:
        """Refuse a field given in both spellings: one of the two would be lost in silence."""
        if isinstance(value, dict):
            for name in cls.model_fields.keys() & value.keys():
                alias = to_camel(name)
                if alias != name and alias in value:
                    raise ValueError(f"both {alias!r} and {name!r} are given: keep one")
        return value
