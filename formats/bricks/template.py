"""`Template`: a chat_bricks template, mutable, which gives the format that it means."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from formats.bricks.policies import AssistantPolicy, GlobalPolicy, SkillPolicy, SystemPolicy, ToolPolicy
from formats.interchange.chat_bricks import read_template
from formats.interchange.jinja_out import chat_template
from formats.prompt import InstructFormat, export_instruct_format

_POLICIES: Final = ("global_policy", "system_policy", "assistant_policy", "tool_policy", "skill_policy")
_FALLBACKS: Final = {
    "system_template": "{system_message}",
    "user_template": "{content}",
    "assistant_template": "{content}",
}
_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "system_template": ("system",),
    "default_system_template": ("system",),
    "system_message": ("defaultSystem",),
    "system_policy": ("systemPolicy",),
    "user_template": ("user",),
    "assistant_template": ("assistant", "promptSuffix"),
    "generation_prompt": ("promptSuffix", "promptSuffixVariants"),
    "observations_template": ("tool", "toolResults"),
    "single_observation_template": ("tool", "toolResults"),
    "tool_calls_template": ("toolCalls",),
    "single_tool_call_template": ("toolCalls",),
    "user_template_with_tools": ("tools",),
    "tools_template": ("tools",),
    "single_tool_template": ("tools",),
    "tool_policy": ("tools",),
    "skills_template": ("skills",),
    "single_skill_template": ("skills",),
    "skill_policy": ("skills",),
    "stop_words": ("stopStrings",),
    "global_policy": ("prefix",),
    **dict.fromkeys(("vision_start", "vision_end", "image_token", "video_token"), ("vision",)),
}
"""Field → the parts of a format that it is about, for a template of the catalogue that was changed."""

WRITTEN_CALL: Final = {"kind": "written", "name": "WrittenCall"}
"""Stands for a function that wrote the calls already."""


@dataclass
class Template:
    """The fields of chat_bricks 0.1.5, with its defaults. Slots are bare names in single braces."""

    name: str = ""
    system_template: str = "{system_message}"
    default_system_template: str | None = None
    system_message: str = ""
    observations_template: str | None = None
    single_observation_template: str = "{observation}"
    user_template: str | None = None
    user_template_with_tools: str | None = None
    assistant_template: str | None = None
    tool_calls_template: str = "{tool_calls}"
    single_tool_call_template: str = "{tool_call}"
    tools_template: str | None = None
    single_tool_template: str | None = None
    skills_template: str | None = None
    single_skill_template: str | None = None
    stop_words: list[str] | None = None
    generation_prompt: str | None = None
    global_policy: GlobalPolicy | None = None
    system_policy: SystemPolicy = field(default_factory=SystemPolicy)
    assistant_policy: AssistantPolicy = field(default_factory=AssistantPolicy)
    tool_policy: ToolPolicy = field(default_factory=ToolPolicy)
    skill_policy: SkillPolicy = field(default_factory=SkillPolicy)
    vision_start: str | None = None
    vision_end: str | None = None
    image_token: str | None = None
    video_token: str | None = None
    chat_template: str | None = None
    base: InstructFormat | None = field(default=None, repr=False, compare=False)
    """The format that a template of the catalogue is; what is set beside it replaces that part."""

    def __post_init__(self) -> None:
        """Put the default policies where None was given, as chat_bricks does."""
        for name, kind in (("system_policy", SystemPolicy), ("assistant_policy", AssistantPolicy),
                           ("tool_policy", ToolPolicy), ("skill_policy", SkillPolicy)):  # fmt: skip
            if getattr(self, name) is None:
                setattr(self, name, kind())

    def copy(self) -> Template:
        """Return a copy that shares nothing with this one, functions apart."""
        twin = copy.copy(self)
        for one in fields(self):
            if one.name not in ("base", *_POLICIES):
                setattr(twin, one.name, copy.deepcopy(getattr(self, one.name)))
        for name in _POLICIES:
            setattr(twin, name, copy.copy(getattr(self, name)))
        return twin

    def document(self) -> dict[str, Any]:
        """Return the template as chat_bricks' documents have it, functions left out: they run before the layout."""
        plain = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in ("base", *_POLICIES)}
        tools, skills, system = self.tool_policy, self.skill_policy, self.system_policy
        written = None if tools.tool_call_content_processor is None else WRITTEN_CALL
        policies = {
            "global_policy": None if self.global_policy is None else {"prefix": self.global_policy.prefix},
            "system_policy": {
                "use_system": system.use_system,
                "use_system_without_system_message": system.use_system_without_system_message,
            },
            "tool_policy": {
                "placement": tools.placement.name,
                "formatter": tools.formatter.document(),
                "tool_call_content_processor": written,
            },
            "skill_policy": {"single_skill_template": skills.single_skill_template, "joiner": skills.joiner},
        }
        return {key: value for key, value in {**plain, **policies}.items() if value is not None}

    def to_format(self) -> InstructFormat:
        """Return the format that lays this template's prompts out. Raises FormatError for slots that are none."""
        if self.base is not None:
            return self._changed(self.base)
        document = self.document()
        if self.user_template is not None or self.chat_template is None:
            document = _FALLBACKS | document
        document.setdefault("name", "template")
        return InstructFormat.model_validate(read_template(document, self.name or "template")[0])

    def _changed(self, base: InstructFormat) -> InstructFormat:
        """The catalogue's format with what was set on this template."""
        plain = Template()
        own = {one.name for one in fields(self) if getattr(self, one.name) != getattr(plain, one.name)}
        keys = {key for name in own for key in _PARTS.get(name, ())}
        if not keys:
            return base
        made = read_template(_FALLBACKS | self.document() | {"name": base.id}, base.id)[0]
        document = export_instruct_format(base) | {key: made[key] for key in keys if key in made}
        return InstructFormat.model_validate(document)

    def jinja_template(self) -> str:
        """Return the Jinja chat template that renders the same."""
        return self.chat_template or chat_template(self.to_format())[0]
