"""What OpenAPI says about messages and references; it is `formats.prompt` that reads them."""

from __future__ import annotations

from typing import Any, Final

_OPTIONAL_TEXT: Final = {"anyOf": [{"type": "string"}, {"type": "null"}]}
_PART: Final = {
    "type": "object",
    "required": ["type"],
    "properties": {"type": {"type": "string"}, "text": {"type": "string"}},
    "description": "A part as OpenAI writes it; `text` parts have `text`.",
}
_TOOL_CALL: Final = {
    "type": "object",
    "required": ["function"],
    "properties": {
        "id": {"type": "string"},
        "type": {"type": "string"},
        "function": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string"},
                "arguments": {"anyOf": [{"type": "string"}, {"type": "object"}]},
            },
        },
    },
}
MESSAGE: Final[dict[str, Any]] = {
    "type": "object",
    "title": "Message",
    "required": ["role"],
    "description": "One turn in OpenAI's shape; `content` may be missing only where there are tool calls or reasoning.",
    "properties": {
        "id": _OPTIONAL_TEXT,
        "role": {"type": "string", "description": "system, user, assistant or tool; known aliases are folded"},
        "content": {"anyOf": [{"type": "string"}, {"type": "array", "items": _PART}, {"type": "null"}]},
        "name": _OPTIONAL_TEXT,
        "tool_calls": {"anyOf": [{"type": "array", "items": _TOOL_CALL}, {"type": "null"}]},
        "tool_call_id": _OPTIONAL_TEXT,
        "reasoning_content": _OPTIONAL_TEXT,
        "pinned": {"type": "boolean"},
        "excluded": {"type": "boolean"},
    },
    "examples": [{"role": "user", "content": "Hi"}],
}
FORMAT: Final[dict[str, Any]] = {
    "anyOf": [{"type": "string", "examples": ["chatml"]}, {"type": "object"}, {"type": "null"}],
    "description": "`slug`, `slug@label`, `slug@7`, a format document, or null for none. Absent: the team's setting.",
}
REFERENCE: Final[dict[str, Any]] = {"anyOf": [{"type": "string"}, {"type": "object"}, {"type": "null"}]}
