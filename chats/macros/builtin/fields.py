"""Fields of character, persona, prompt and request. A field that the scope does not have stays as typed."""

from __future__ import annotations

from chats.macros.call import Call, Macro, Run

ALIASES: dict[str, tuple[str, ...]] = {
    "description": ("charDescription",),
    "personality": ("charPersonality",),
    "scenario": ("charScenario",),
    "persona": (),
    "mesExamples": (),
    "mesExamplesRaw": (),
    "charPrompt": (),
    "charInstruction": ("charJailbreak",),
    "charDepthPrompt": (),
    "creatorNotes": ("charCreatorNotes",),
    "charVersion": ("version", "char_version"),
    "greeting": ("charFirstMessage",),
    "original": (),
    "summary": (),
    "input": (),
    "model": (),
    "maxPrompt": ("maxPromptTokens",),
    "maxContext": ("maxContextTokens",),
    "maxResponse": ("maxResponseTokens",),
    "lastGenerationType": (),
    "systemPrompt": (),
    "defaultSystemPrompt": (),
    "authorsNote": (),
    "charAuthorsNote": (),
    "defaultAuthorsNote": (),
    "chatSeparator": (),
    "chatStart": (),
    "instructStoryStringPrefix": (),
    "instructStoryStringSuffix": (),
    "instructUserPrefix": ("instructInput",),
    "instructUserSuffix": (),
    "instructAssistantPrefix": ("instructOutput",),
    "instructAssistantSuffix": ("instructSeparator",),
    "instructSystemPrefix": (),
    "instructSystemSuffix": (),
    "instructStop": (),
    "reasoningPrefix": (),
    "reasoningSuffix": (),
    "reasoningSeparator": (),
}
"""Canonical names, as `MacroScope.fields` has them, and their other names."""

ONCE = {"original"}
"""Only the first one of a text has the value: SillyTavern's rule, so that a prompt is not quoted twice."""


def _field(name: str) -> Run:
    def run(call: Call) -> str | None:
        value = call.scope.fields.get(name)
        if value is None or name not in ONCE:
            return value
        return value if call.is_first(name) else ""

    return run


def _greeting(call: Call) -> str | None:
    """`{{greeting}}` and `{{greeting::0}}` are the first message, `{{greeting::1}}` the first alternate one."""
    index = call.arguments[0].strip() if call.arguments else "0"
    return call.scope.fields.get("greeting" if index == "0" else f"greeting::{index}")


MACROS = {
    alias.lower(): Macro(_field(name), steady=name not in ONCE)
    for name, others in ALIASES.items()
    for alias in (name, *others)
}
MACROS["greeting"] = MACROS["charfirstmessage"] = Macro(_greeting, 0, 1, steady=True)
