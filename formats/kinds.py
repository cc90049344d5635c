"""Registers the stored kinds of this floor, from instruct formats to AppSettings."""

from __future__ import annotations

from formats.stored import app_settings, context_template, instruct_format, preset, prompt_config
from neotavern.library import kinds

INSTRUCT_FORMAT = instruct_format.NAME
APP_SETTINGS = app_settings.NAME
PRESET = preset.NAME
PROMPT_CONFIG = prompt_config.NAME
CONTEXT_TEMPLATE = context_template.NAME


def register_all() -> None:
    """Register every kind once; a second call changes nothing."""
    known = {kind.name for kind in kinds.kinds()}
    for kind in (
        instruct_format.KIND,
        context_template.KIND,
        prompt_config.KIND,
        preset.KIND,
        app_settings.KIND,
    ):
        if kind.name not in known:
            kinds.register(kind)
