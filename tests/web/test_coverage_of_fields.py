"""Every field of a stored document has a control, so that nobody needs JSON for what a document can say."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from chats.documents import Character, Lorebook, LoreEntry, Memory, Persona
from chats.documents.character import Asset
from chats.documents.lorebook import Binding, Relationship
from chats.pipeline.interceptors.rules import Drop, Insert, Replace
from chats.stored.interceptor import InterceptorDocument
from chats.web.books.fields import ENTRY_SECTIONS
from chats.web.editors import EDITORS
from chats.web.editors.character import ASSETS
from chats.web.editors.interceptor import DROP, INSERT, REPLACE
from chats.web.editors.lorebook import BINDINGS, RELATIONSHIPS
from formats.context import Block, PromptConfig
from formats.stored.preset import Preset
from formats.web.field import Section, Variant
from formats.web.sections.presets import PRESET_SECTIONS
from formats.web.sections.prompt_configs import PROMPT_CONFIG_SECTIONS, VARIANTS

APART = frozenset({"kind", "version", "id", "extensions", "extra", "uid", "type"})
"""What names the document or its sort, and what other programs keep."""

SECTIONS = {editor.kind: editor.sections for editor in EDITORS}
DOCUMENTS: list[tuple[type[BaseModel], tuple[Section, ...]]] = [
    (Character, SECTIONS["character"]),
    (Persona, SECTIONS["persona"]),
    (Memory, SECTIONS["memory"]),
    (InterceptorDocument, SECTIONS["interceptor"]),
    (Lorebook, SECTIONS["lorebook"]),
    (LoreEntry, ENTRY_SECTIONS),
    (PromptConfig, PROMPT_CONFIG_SECTIONS),
    (Preset, PRESET_SECTIONS),
]
ROWS: list[tuple[type[BaseModel], tuple[Variant, ...]]] = [
    (Block, VARIANTS),
    (Replace, (REPLACE,)),
    (Insert, (INSERT,)),
    (Drop, (DROP,)),
    (Binding, BINDINGS.variants),
    (Relationship, RELATIONSHIPS.variants),
    (Asset, ASSETS.variants),
]


def missing(model: type[BaseModel], paths: Iterable[str]) -> list[str]:
    """Return the keys of a document that no path begins with."""
    has = {path.split(".")[0] for path in paths}
    return sorted({to_camel(name) for name in model.model_fields} - has - APART)


@pytest.mark.parametrize(("model", "sections"), DOCUMENTS, ids=lambda one: getattr(one, "__name__", ""))
def test_documents(model: type[BaseModel], sections: tuple[Section, ...]) -> None:
    assert missing(model, (item.path for section in sections for item in section.items)) == []


@pytest.mark.parametrize(("model", "variants"), ROWS, ids=lambda one: getattr(one, "__name__", ""))
def test_rows(model: type[BaseModel], variants: tuple[Variant, ...]) -> None:
    assert missing(model, (field.path for variant in variants for field in variant.all_fields)) == []
