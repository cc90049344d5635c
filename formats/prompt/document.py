"""`InstructFormat`: the format document, version 2, as an immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self

from pydantic import Discriminator, Field, Tag

from formats.prompt import fields, sections
from formats.prompt.fields import DocumentModel, Literal_, Slug, StopString, Template, Text, sequence

if TYPE_CHECKING:
    from formats.prompt.compiled import CompiledFormat

KIND: Final = "instruct-format"
VERSION: Final = 2


def _token_shape(value: Any) -> str:
    return "text" if isinstance(value, str) else "object"


SpecialToken = Annotated[
    Annotated[StopString, Tag("text")] | Annotated[sections.SpecialToken, Tag("object")], Discriminator(_token_shape)
]


class InstructFormat(DocumentModel):
    """Everything a model family needs, as data. Build one with `model_validate`; it takes any version."""

    kind: Literal["instruct-format"] = KIND
    version: Literal[2] = VERSION
    id: Slug
    name: Text = Field(min_length=1, max_length=200)
    description: Text = Field(default="", max_length=10_000)
    tags: tuple[fields.Tag, ...] = sequence(limit=64)

    system: Template
    user: Template
    assistant: Template
    tool: Template

    prefix: Literal_ = ""
    bos: Literal_ = ""
    eos: Literal_ = ""
    separator: Literal_ = ""
    prompt_suffix: Literal_ = ""
    prompt_suffix_variants: dict[str, Literal_] = Field(default_factory=dict)
    stop_strings: tuple[StopString, ...] = sequence(limit=fields.STOP_LIMIT)
    special_tokens: tuple[SpecialToken, ...] = sequence(limit=fields.STOP_LIMIT)

    default_system: Text | None = None
    system_policy: sections.SystemPolicy = sections.SystemPolicy()
    alternation: fields.Alternation = "none"
    merge_separator: Literal_ = "\n\n"
    part_joiner: Literal_ = ""
    filler_user: Text = ""
    trim: sections.Trim = sections.Trim()
    variants: sections.Variants = sections.Variants()
    names: fields.Names = "template"

    tools: sections.Tools | None = None
    tool_calls: sections.ToolCalls | None = None
    tool_results: sections.ToolResults | None = None
    skills: sections.Skills | None = None
    vision: sections.Vision | None = None
    reasoning: sections.Reasoning | None = None
    processors: tuple[sections.Processor, ...] = sequence(limit=16)
    chat_template: Template | None = None
    tests: tuple[sections.FormatTest, ...] = sequence(limit=256)

    @classmethod
    def model_validate(cls, obj: Any, **_: Any) -> Self:
        """Read a document of any version, or raise FormatError with every fault."""
        from formats.prompt.importing import load

        return obj if isinstance(obj, cls) else load(cls, obj)[0]

    @cached_property
    def compiled(self) -> CompiledFormat:
        """The ready templates of this format; made once for each object."""
        from formats.prompt.compiled import build

        return build(self)

    @property
    def token_texts(self) -> tuple[str, ...]:
        """Every text that content must not forge: special tokens, BOS and EOS; longest first, so a scan is greedy."""
        listed = (token if isinstance(token, str) else token.token for token in self.special_tokens)
        return tuple(sorted({*listed, self.bos, self.eos} - {""}, key=lambda token: (-len(token), token)))

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with other values, checked like an import; never one with the templates of the old values."""
        copy = super().model_copy(update=update, deep=deep)
        copy.__dict__.pop("compiled", None)
        return copy
