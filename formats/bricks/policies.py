"""Policies: where things stand, and functions of users that change a text before it is laid out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from formats.bricks.formatters import Formatter, JsonQwenFormatter

Processor = Callable[..., Any]


class ToolPlacement(Enum):
    """Where the tools stand, once."""

    SYSTEM = 1
    FIRST_USER = 2
    LAST_USER = 3
    SEPARATE = 4


@dataclass
class GlobalPolicy:
    """What holds for the whole prompt."""

    prefix: str | None = None


@dataclass
class SystemPolicy:
    """`content_processor` takes the system text, and the tools' text as `tools` where it asks for that."""

    use_system: bool = True
    use_system_without_system_message: bool = True
    use_system_with_tools_provided: bool = True
    content_processor: Processor | None = None


@dataclass
class AssistantPolicy:
    """`content_processor` takes the text of an assistant's turn."""

    content_processor: Processor | None = None


@dataclass
class SkillPolicy:
    """`content_processor` takes one skill and gives one."""

    single_skill_template: str = "- {name}: {description}"
    joiner: str = "\n"
    content_processor: Processor | None = None


@dataclass
class ToolPolicy:
    """`content_processor` takes one tool; `tool_call_content_processor` one call, and gives its text."""

    placement: ToolPlacement = ToolPlacement.SYSTEM
    content_processor: Processor | None = None
    tool_call_content_processor: Processor | None = None
    formatter: Formatter = field(default_factory=JsonQwenFormatter)
