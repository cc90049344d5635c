"""The kinds of this floor that are edited as fields of the common page: all but formats, which have their own."""

from __future__ import annotations

from typing import Any

from formats.stored import preset, prompt_config
from formats.web.activation import buttons
from formats.web.context_templates import EDITOR
from formats.web.editor import FieldEditor
from formats.web.sections.presets import PRESET_SECTIONS
from formats.web.sections.prompt_configs import PROMPT_CONFIG_SECTIONS
from neotavern.accounts.actor import Actor
from neotavern.library.kinds import Kind
from neotavern.library.web import editors

__all__ = ["FieldEditor", "register"]


def register() -> None:
    """Let these kinds be edited as fields, and let pages of what can be active have the buttons for it."""
    editors.register(preset.NAME, FieldEditor(preset.NAME, PRESET_SECTIONS))
    editors.register(prompt_config.NAME, FieldEditor(prompt_config.NAME, PROMPT_CONFIG_SECTIONS))
    editors.register(EDITOR.kind, EDITOR)
    editors.register_extras(_defaults)


def _defaults(actor: Actor, kind: Kind, slug: str) -> dict[str, Any]:
    return {"defaults": buttons(actor, kind, slug)}
