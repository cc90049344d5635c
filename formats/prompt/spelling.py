"""Both spellings of our own keys: `stop_strings` becomes `stopStrings`; giving both is a fault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic.alias_generators import to_camel, to_snake

from formats.prompt import sections
from formats.prompt.document import InstructFormat
from formats.prompt.errors import Fault, join_path
from formats.prompt.fields import DocumentModel

# Objects and arrays of objects inside a document whose keys are ours. Messages, tool parameters and processor
# parameters are other people's words and stay as they are.
_NESTED: Final[Mapping[str, type[DocumentModel]]] = {
    "systemPolicy": sections.SystemPolicy,
    "trim": sections.Trim,
    "variants": sections.Variants,
    "tools": sections.Tools,
    "toolCalls": sections.ToolCalls,
    "toolResults": sections.ToolResults,
    "skills": sections.Skills,
    "vision": sections.Vision,
    "reasoning": sections.Reasoning,
    "specialTokens": sections.SpecialToken,
}


def spell_document(document: Mapping[str, Any], faults: list[Fault]) -> dict[str, Any]:
    """The document with camelCase keys."""
    spelled = spell_keys(document, InstructFormat, "", faults)
    for key, model in _NESTED.items():
        value = spelled.get(key)
        if isinstance(value, Mapping):
            spelled[key] = spell_keys(value, model, key, faults)
        elif key == "specialTokens" and isinstance(value, list | tuple):
            spelled[key] = [_spell_token(token, f"{key}[{index}]", faults) for index, token in enumerate(value)]
    return spelled


def spell_keys(value: Mapping[str, Any], model: type[DocumentModel], path: str, faults: list[Fault]) -> dict[str, Any]:
    """`value` with the keys that `model` knows in camelCase; other keys as they came."""
    spelled: dict[str, Any] = {}
    for key, item in value.items():
        name = to_camel(key) if isinstance(key, str) and to_snake(key) in model.model_fields and "_" in key else key
        if name in spelled:
            faults.append(
                Fault(join_path(path, str(name)), f"is given in two spellings, {name!r} and {to_snake(name)!r}")
            )
        spelled[name] = item
    return spelled


def _spell_token(token: Any, path: str, faults: list[Fault]) -> Any:
    return spell_keys(token, sections.SpecialToken, path, faults) if isinstance(token, Mapping) else token
