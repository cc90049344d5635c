"""Fields that name another object: what they may say, and what of it becomes a reference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, StrictStr, ValidationInfo
from pydantic.alias_generators import to_camel

from neotavern.library import kinds
from neotavern.library.kinds import Mention
from neotavern.library.pointers import is_slug, parse_pointer

REFERENCES: Mapping[str, str] = {
    "instructFormat": "instruct-format",
    "contextTemplate": "context-template",
    "promptConfig": "prompt-config",
    "preset": "preset",
}
"""Field → the kind of object that it names."""


def _names_an_object(value: str | None, info: ValidationInfo) -> str | None:
    if value is None:
        return None
    if not is_registered(REFERENCES[to_camel(info.field_name or "")]):
        raise ValueError("nothing of this kind is stored here yet: only null is possible")
    if not is_slug(parse_pointer(value).slug):
        raise ValueError("it is named as slug, slug@label or slug@number")
    return value


def is_registered(kind: str) -> bool:
    """Return whether objects of `kind` are stored here."""
    return any(known.name == kind for known in kinds.kinds())


Name = Annotated[StrictStr | None, AfterValidator(_names_an_object)]
"""`slug`, `slug@label` or `slug@number`; null names nothing."""


def mentions_of(document: Mapping[str, Any]) -> list[Mention]:
    """Return what a document names."""
    return [
        Mention(path, kind, parse_pointer(document[path])) for path, kind in REFERENCES.items() if document.get(path)
    ]
