"""chat_bricks' names on the renderer of this project: its guide's code runs with nothing but the import changed.

Every template becomes an InstructFormat and is rendered by `formats.prompt`; nothing is laid out here.

from formats.bricks import Chat, Template, register_template
"""

from __future__ import annotations

from formats.bricks.chat import Chat
from formats.bricks.formatters import (
    Formatter,
    JsonCompactFormatter,
    JsonFormatter,
    JsonFormatterNoBreakLine,
    JsonIndentedFormatter,
    JsonMinifiedFormatter,
    JsonQwenFormatter,
    YamlFormatter,
)
from formats.bricks.policies import (
    AssistantPolicy,
    GlobalPolicy,
    SkillPolicy,
    SystemPolicy,
    ToolPlacement,
    ToolPolicy,
)
from formats.bricks.registry import TEMPLATES, NameTaken, get_template, register_template
from formats.bricks.template import Template

__all__ = [
    "TEMPLATES",
    "AssistantPolicy",
    "Chat",
    "Formatter",
    "GlobalPolicy",
    "JsonCompactFormatter",
    "JsonFormatter",
    "JsonFormatterNoBreakLine",
    "JsonIndentedFormatter",
    "JsonMinifiedFormatter",
    "JsonQwenFormatter",
    "NameTaken",
    "SkillPolicy",
    "SystemPolicy",
    "Template",
    "ToolPlacement",
    "ToolPolicy",
    "YamlFormatter",
    "get_template",
    "register_template",
]
