"""Counts tokens: of a text as it is, or of messages as a format renders them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import ConfigDict, Field

from chats.services.apply_template import ApplyTemplateRequest, apply_template
from chats.services.callers import Caller
from chats.services.counters import counter_for
from chats.services.lookup import check_caller
from chats.services.request import FormatChoice, RawMessage
from neotavern.ground.errors import invalid
from neotavern.ground.limits import MAX_MESSAGES
from neotavern.ground.wire import WireModel


class TokenizeRequest(WireModel):
    """`text`, or `messages` with the format to render them in; without `format` it is the team's."""

    model_config = ConfigDict(strict=True)

    text: str | None = None
    messages: list[RawMessage] | None = Field(default=None, max_length=MAX_MESSAGES)
    format: FormatChoice = None
    add_generation_prompt: bool = True
    tokenizer: str | None = None
    model: str | None = Field(default=None, max_length=500)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The count, the ids (none for an estimate), and the text cut into its tokens."""

    count: int
    tokens: list[int]
    token_strings: list[str]
    profile: str
    approximate: bool

    def wire(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "count": self.count,
            "tokens": self.tokens,
            "tokenStrings": self.token_strings,
            "profile": self.profile,
            "approximate": self.approximate,
        }


def tokenize(caller: Caller, request: TokenizeRequest) -> Tokens:
    """Return the tokens of the text, the same that `promptTokens` of a render counts.

    Raises VALIDATION without a text or with both, and for an unknown tokenizer; and what a render raises.
    """
    if (request.text is None) == (request.messages is None):
        raise invalid("text", "Send either `text` or `messages`.")
    if request.text is None:
        text = _rendered(caller, request)
    else:
        check_caller(caller)
        text = request.text
    counter = counter_for(request.tokenizer, request.model)
    return Tokens(counter.count(text), counter.encode(text), counter.pieces(text), counter.name, counter.approximate)


def _rendered(caller: Caller, request: TokenizeRequest) -> str:
    fields: dict[str, Any] = {
        "messages": request.messages or [],
        "add_generation_prompt": request.add_generation_prompt,
    }
    if "format" in request.model_fields_set:
        fields["format"] = request.format
    return apply_template(caller, ApplyTemplateRequest.model_construct(_fields_set=set(fields), **fields))
