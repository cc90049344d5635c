"""The page of a context template: its form, what the editor completes, and the preview beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from formats.context.catalogue import DEFAULT_TEMPLATE, built_in
from formats.stored.context_template import NAME
from formats.web.editor import FieldEditor
from formats.web.sections.context_templates import CONTEXT_TEMPLATE_SECTIONS
from formats.web.words import editor_words
from neotavern.library.kinds import Finding
from neotavern.library.web.editors import Shown

PREVIEW = "formats/_context_preview.html"


class ContextTemplateEditor(FieldEditor):
    """A field editor with a preview; the template's own section is closed until somebody asks for it."""

    def start(self) -> dict[str, Any]:
        """Return a new document, with the built-in template to begin with."""
        first = next(one for one in built_in("context_templates") if one["id"] == DEFAULT_TEMPLATE)
        return {**super().start(), "template": first["template"]}

    def show(self, document: dict[str, Any], findings: Sequence[Finding], texts: Mapping[str, str]) -> Shown:
        """Return the form with what stands beside it. What is merely worth knowing is told there, and opens nothing."""
        shown = super().show(document, [one for one in findings if one.severity != "info"], texts)
        return Shown(shown.template, {**shown.context, "beside": PREVIEW, "words": context_words()}, shown.left)


EDITOR = ContextTemplateEditor(NAME, CONTEXT_TEMPLATE_SECTIONS, opened=("about", "printing"))


def context_words() -> dict[str, Any]:
    """Return what the editor's script knows on this page: variables, helpers with the role blocks, sentences."""
    words = editor_words()
    blocks = {
        "systemBlock": _("Its text is a system message."),
        "userBlock": _("Its text is a message of the user."),
        "assistantBlock": _("Its text is a message of the assistant; of the last entry of chatMessages, an open one."),
        "toolBlock": _("Its text is a tool's result."),
    }
    helpers = [{"label": label, "info": info, "block": True} for label, info in blocks.items()]
    return words | {"variables": {"default": variables()}, "helpers": [*helpers, *words["helpers"]]}


def variables() -> list[dict[str, str]]:
    """Return the variables of a context template, each with a sentence."""
    known = {
        "instructions": _("The system prompt of the prompt config; in postHistory its reminder."),
        "characters": _("The characters as JSON, each with its own lore under “extra lore”."),
        "personas": _("The user's persona as JSON, likewise."),
        "scenario": _("What is going on."),
        "worldLore": _("Chosen lore of the world, as JSON."),
        "history": _("Chosen lore with a date, as JSON."),
        "narrativeGraph": _("Who is what to whom, as JSON."),
        "currentDate": _("The latest date of the history."),
        "chatMessages": _("The messages, for each: role, name, message; the last one is the turn to go on from."),
        "postHistory": _("The reminder: targetIndex, hasContent, instructions, charInstructions, exampleDialogue."),
        "role": _("Of an entry of chatMessages: user or assistant."),
        "name": _("Of an entry of chatMessages: who speaks."),
        "message": _("Of an entry of chatMessages: what is said."),
        "isSeed": _("Of an entry of chatMessages: true for the turn to go on from."),
        "targetIndex": _("Of postHistory: the entry that the reminder stands before."),
        "hasContent": _("Of postHistory: whether there is anything to remind of."),
        "charInstructions": _("Of postHistory: the character's own reminder."),
        "exampleDialogue": _("Of postHistory: an example of how the character talks."),
        "char": _("Who speaks next."),
        "user": _("Who the user is."),
        "characterNames": _("All characters in one phrase."),
        "personaNames": _("The user's persona."),
    }
    return [{"label": label, "info": info} for label, info in known.items()]
