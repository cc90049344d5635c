"""`RenderRequest`: the body of POST /render, read once and cheaply; messages stay as sent until they are rendered."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema

from chats.services.message_schema import FORMAT, MESSAGE, REFERENCE
from neotavern.ground.limits import MAX_MESSAGES
from neotavern.ground.wire import WireModel

MAX_VARIABLES: Final = 64
MAX_STOPS: Final = 64
MAX_STOP_CHARACTERS: Final = 1024

Provider = Literal["text-completion", "novelai", "ai-horde", "koboldai", "openai-compatible", "anthropic"]
GenerationType = Literal["normal", "continue", "regenerate", "impersonate", "quiet"]
PostProcessing = Literal["none", "merge", "merge_tools", "semi", "semi_tools", "strict", "strict_tools", "single"]
Policy = Literal["keep", "escape", "reject"]
ContextStrategy = Literal["truncate", "summarize", "vector-recall", "manual"]


def _reference(value: Any) -> Any:
    """Return a slug, an inline object or null as it is: one error instead of one for each member of a union."""
    if value is None or isinstance(value, str | dict):
        return value
    raise ValueError("must be a slug, an object or null")


def _slug(value: Any) -> Any:
    if value is None or isinstance(value, str):
        return value
    raise ValueError("must be a slug or null")


FormatChoice = Annotated[str | dict[str, Any] | None, PlainValidator(_reference), WithJsonSchema(FORMAT)]
Reference = Annotated[str | dict[str, Any] | None, PlainValidator(_reference), WithJsonSchema(REFERENCE)]
RawMessage = Annotated[dict[str, Any], WithJsonSchema(MESSAGE)]
Slug = Annotated[str | None, PlainValidator(_slug), WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "null"}]})]
StopString = Annotated[str, Field(max_length=MAX_STOP_CHARACTERS)]


class Skill(BaseModel):
    """A skill that the system turn lists."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    description: str = ""


class RenderRequest(WireModel):
    """A conversation and how to render it: every field of the contract. docs/render.md explains each."""

    model_config = ConfigDict(strict=True)

    format: FormatChoice = None
    messages: list[RawMessage] = Field(default_factory=list, max_length=MAX_MESSAGES)
    user_input: str | None = None
    chat: Slug = None
    character: Reference = None
    characters: list[Reference] = Field(default_factory=list)
    persona: Reference = None
    scenario: str | None = None
    lorebooks: list[Reference] = Field(default_factory=list)
    memories: list[Reference] = Field(default_factory=list)
    variables: dict[str, str | int | float | bool] = Field(default_factory=dict, max_length=MAX_VARIABLES)
    macros: bool = True
    tools: list[dict[str, Any]] = Field(default_factory=list)
    skills: list[Skill] = Field(default_factory=list)
    preset: Slug = None
    context_template: Reference = None
    prompt_config: Reference = None
    infill: Literal["auto", "keyword", "vector", "hybrid"] | None = None
    provider: Provider | None = None
    model: str | None = Field(default=None, max_length=500)
    serialize_as_text: bool | None = None
    post_processing: PostProcessing = "none"
    generation_type: GenerationType = "normal"
    add_generation_prompt: bool = True
    continue_final_message: bool = False
    assistant_prefill: str = ""
    thinking: bool | None = None
    bos: Literal["keep", "omit"] = "keep"
    special_token_policy: Policy = "keep"  # noqa: S105 - no password
    strict: bool = False
    stop_strings: list[StopString] = Field(default_factory=list, max_length=MAX_STOPS)
    max_context_tokens: int | None = Field(default=None, ge=1, le=2**31 - 1)
    reserve_for_reply: int | None = Field(default=None, ge=0, le=2**31 - 1)
    context_strategy: ContextStrategy | None = None
    tokenizer: str | None = None
    now: datetime | None = Field(default=None, strict=False)
    random_seed: int | None = Field(default=None, ge=-(2**53), le=2**53)
    trace: bool = False
    spans: bool = False

    @property
    def names_format(self) -> bool:
        """Whether the request says which format, null included; otherwise the team's setting holds."""
        return "format" in self.model_fields_set

    @property
    def names_a_story(self) -> bool:
        """Whether it names a chat, character, preset or context template: then the team's budgets hold for it."""
        return any(one is not None for one in (self.chat, self.character, self.preset, self.context_template))

    @property
    def is_continued(self) -> bool:
        """Whether the last message stays open: asked for by itself, or by the generation type."""
        return self.continue_final_message or self.generation_type == "continue"
