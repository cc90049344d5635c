"""What a preset gives to a request: every field that the request leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic.alias_generators import to_camel

from chats.services.available import HARMLESS
from chats.services.request import RenderRequest
from formats.prompt.findings import Finding

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

NOT_APPLIED: Final = "PRESET_FIELD_NOT_APPLIED"


def with_preset(
    request: RenderRequest, preset: Mapping[str, Any], *, named: bool
) -> tuple[RenderRequest, list[Finding]]:
    """Return `request` with what it leaves open filled in, and a finding for each field that no stage reads yet.

    `named`: the request itself asks for this preset; otherwise it is a default of the person or the team, and a plain
    request gets none of its blocks and budgets. Stop strings of the preset stand before the request's.
    """
    filled: dict[str, Any] = {}
    findings: list[Finding] = []
    for name in (*STYLE, *CONTENT) if named else STYLE:
        value = preset.get(to_camel(name))
        if value is None or name in request.model_fields_set:
            continue
        if value in HARMLESS.get(name, (value,)):
            filled[name] = value
        elif named:
            findings.append(_not_applied(to_camel(name)))
    stops = preset.get("stopStrings")
    if stops:
        filled["stop_strings"] = [*stops, *request.stop_strings]
    return (request.model_copy(update=filled) if filled else request), findings


def _not_applied(field: str) -> Finding:
    message = f"The preset sets {field}, which this server can not apply yet: the prompt is as without it."
    return Finding("warning", NOT_APPLIED, message, f"preset.{field}")
