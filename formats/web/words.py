"""What the editor's script knows: variables, helpers, and its few sentences, in the language of the page."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _


def editor_words() -> dict[str, Any]:
    """Return the object that the page carries as JSON."""
    return {"variables": _variables(), "helpers": _helpers(), "texts": _texts()}


def _variables() -> dict[str, list[dict[str, str]]]:
    content = {"label": "content", "info": _("The text of the message.")}
    role = {"label": "role", "info": _("The role of the message.")}
    name = {"label": "name", "info": _("The name of the speaker, when one is known.")}
    tools = {"label": "tools", "info": _("The list of tools, as text.")}
    skills = {"label": "skills", "info": _("The list of skills, as text.")}
    calls = {"label": "toolCalls", "info": _("The calls of this turn, as text.")}
    call_id = {"label": "toolCallId", "info": _("The call that this answers.")}
    return {
        "default": [content, role, name],
        "system": [content, role, name, tools, skills],
        "user": [content, role, name, tools],
        "assistant": [content, role, name, calls],
        "tool": [content, role, name],
        "tools.section": [tools],
        "tools.item": [{"label": "tool", "info": _("One tool, as text.")}],
        "tools.userWith": [content, role, name, tools],
        "toolCalls.section": [calls],
        "toolCalls.item": [
            {"label": "id", "info": _("The id of the call.")},
            {"label": "name", "info": _("The name of the tool.")},
            {"label": "arguments", "info": _("The arguments, as JSON text.")},
            {"label": "toolCall", "info": _("The whole call, as JSON text.")},
        ],
        "toolResults.section": [{"label": "toolResults", "info": _("The results, as text.")}],
        "toolResults.item": [content, {"label": "name", "info": _("The name of the tool.")}, call_id],
        "skills.section": [skills],
        "skills.item": [
            {"label": "name", "info": _("The name of the skill.")},
            {"label": "description", "info": _("What the skill is for.")},
        ],
        "systemPolicy.wrap": [content],
    }


def _helpers() -> list[dict[str, Any]]:
    blocks = {
        "if": _("The block is written when the value is there."),
        "unless": _("The block is written when the value is not there."),
        "each": _("The block is written for each item of a list."),
        "with": _("The block is written with the value as its context."),
    }
    inline = {
        "lookup": _("One item of a list or object: lookup list index."),
        "eq": _("True when both are equal."),
        "ne": _("True when they differ."),
        "lt": _("True when the first is less."),
        "lte": _("True when the first is less or equal."),
        "gt": _("True when the first is greater."),
        "gte": _("True when the first is greater or equal."),
        "not": _("True when the value is not there."),
        "and": _("The first value that is not there, or the last one."),
        "or": _("The first value that is there."),
        "default": _("The value, or the second one when it is missing or empty."),
        "trim": _("Without white space at both ends."),
        "upper": _("In capitals."),
        "lower": _("In small letters."),
        "join": _("The items of a list with a text between them."),
        "length": _("How many items or characters."),
        "json": _("As JSON; indent= makes it readable."),
    }
    return [
        *({"label": label, "info": info, "block": True} for label, info in blocks.items()),
        *({"label": label, "info": info, "block": False} for label, info in inline.items()),
    ]


def _texts() -> dict[str, str]:
    return {
        "goThere": _("Go there"),
        "held": _("The template is broken: the prompt shown is the last good one."),
        "follows": _("The prompt follows again."),
        "noAnswer": _("The server does not answer. What you type is kept in this browser."),
        "copied": _("Copied"),
        "copyFailed": _("Could not copy"),
    }
