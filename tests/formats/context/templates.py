"""A template of our own with the structure of the published one, and a context that fills every variable."""

from __future__ import annotations

from typing import Any

from formats.context import CompiledContext, read_context_template

STORY = """{{#systemBlock}}
{{#if instructions}}
Rules: {{{instructions}}}
{{/if}}

{{#if characters}}
Cast: {{{characters}}}
{{/if}}

{{#if scenario}}
Scene: {{{scenario}}}
{{/if}}
{{/systemBlock}}

{{#each chatMessages as |turn at|}}
{{#with ../postHistory}}
{{#if (and (eq at targetIndex) hasContent)}}
{{#systemBlock}}
{{#if instructions}}
Mind: {{{instructions}}}
{{/if}}
{{#if charInstructions}}
Part: {{{charInstructions}}}
{{/if}}
{{#if exampleDialogue}}
Like: {{{exampleDialogue}}}
{{/if}}
{{/systemBlock}}
{{/if}}
{{/with}}
{{#if (eq role "assistant")}}
{{#assistantBlock}}
{{{name}}}: {{{message}}}
{{/assistantBlock}}
{{/if}}
{{#if (eq role "user")}}
{{#userBlock}}
{{{name}}}: {{{message}}}
{{/userBlock}}
{{/if}}
{{/each}}
"""


def compiled(template: str, **fields: Any) -> CompiledContext:
    """A template ready to render."""
    return CompiledContext(read_context_template({"template": template, **fields}))


def turn(role: str, name: str, message: str, **more: Any) -> dict[str, Any]:
    """One entry of chatMessages."""
    return {"id": message, "role": role, "name": name, "message": message, "isSeed": False, **more}


def seed(name: str = "Mira", message: str = "") -> dict[str, Any]:
    """The entry that the model goes on from."""
    return {"id": -2, "role": "assistant", "name": name, "message": message, "isSeed": True}


def pairs(template: str, context: dict[str, Any], **fields: Any) -> list[tuple[str, str]]:
    """Role and text of every block."""
    return [(one.role, one.text) for one in compiled(template, **fields).render(context).blocks]
