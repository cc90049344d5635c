"""The kinds of this floor as fields: one file each, with its sections."""

from __future__ import annotations

from chats.web.editors.character import CHARACTER_SECTIONS
from chats.web.editors.interceptor import INTERCEPTOR_SECTIONS
from chats.web.editors.lorebook import LOREBOOK_SECTIONS
from chats.web.editors.memory import MEMORY_SECTIONS
from chats.web.editors.persona import PERSONA_SECTIONS
from formats.web.editor import FieldEditor
from neotavern.library.web import editors

EDITORS = (
    FieldEditor("character", CHARACTER_SECTIONS, opened=("about", "person", "greetings")),
    FieldEditor("persona", PERSONA_SECTIONS),
    FieldEditor("memory", MEMORY_SECTIONS),
    FieldEditor("interceptor", INTERCEPTOR_SECTIONS, context={"after": "chats/_rules_try.html"}),
    FieldEditor("lorebook", LOREBOOK_SECTIONS, context={"before": "chats/books/_tabs.html"}),
)


def register() -> None:
    """Let these kinds be edited as fields."""
    for editor in EDITORS:
        editors.register(editor.kind, editor)
