"""What a preset gives to a request: every field that the request leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic.alias_generators import to_camel

from chats.services.request import RenderRequest

STYLE: Final = ("post_processing", "thinking", "bos", "special_token_policy", "reserve_for_reply", "tokenizer")
"""Fields that a preset gives to any request."""

CONTENT: Final = (
    "context_template",
    "prompt_config",
    "infill",
    "max_context_tokens",
    "context_strategy",
)
"""Fields that add blocks or take messages away: only a preset that the request names gives these."""


def with_preset(request: RenderRequest, preset: Mapping[str, Any], *, named: bool) -> RenderRequest:
    """Return `request` with what it leaves open filled in.

    `named`: the request itself asks for this preset; otherwise it is a default of the person or the team, and a plain
    request gets none of its blocks and budgets. Stop strings of the preset stand before the request's.
    """
    given = {name: preset.get(to_camel(name)) for name in ((*STYLE, *CONTENT) if named else STYLE)}
    filled: dict[str, Any] = {
        name: value for name, value in given.items() if value is not None and name not in request.model_fields_set
    }
    stops = preset.get("stopStrings")
    if stops:
        filled["stop_strings"] = [*stops, *request.stop_strings]
    return request.model_copy(update=filled) if filled else request
