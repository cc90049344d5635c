"""llama.cpp's /apply-template on our render function: a text, always; macros off, nothing shifted."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import ConfigDict, Field

from chats.services.callers import Caller
from chats.services.render import answer
from chats.services.request import FormatChoice, Policy, RawMessage, RenderRequest, Skill
from neotavern.ground.limits import MAX_MESSAGES
from neotavern.ground.wire import WireModel


class ApplyTemplateRequest(WireModel):
    """llama.cpp's three fields, and those of /render that say how the text is laid out."""

    model_config = ConfigDict(strict=True)

    messages: list[RawMessage] = Field(max_length=MAX_MESSAGES)
    tools: list[dict[str, Any]] = Field(default_factory=list)
    add_generation_prompt: bool = True
    format: FormatChoice = None
    skills: list[Skill] = Field(default_factory=list)
    continue_final_message: bool = False
    assistant_prefill: str = ""
    thinking: bool | None = None
    bos: Literal["keep", "omit"] = "keep"
    special_token_policy: Policy = "keep"  # noqa: S105 - no password
    strict: bool = False
    now: datetime | None = Field(default=None, strict=False)


def apply_template(caller: Caller, request: ApplyTemplateRequest) -> str:
    """Return the prompt, by the team's format unless the request names one. Raises what `answer` raises."""
    given = {name: getattr(request, name) for name in request.model_fields_set}
    fields = {**given, "macros": False, "serialize_as_text": True}
    # the fields were validated by a model that has them from RenderRequest
    prompt = answer(caller, RenderRequest.model_construct(_fields_set=set(fields), **fields)).prompt
    return prompt or ""
