"""SillyTavern context templates in: the story string becomes a role block, then comes the chat."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from formats.interchange.reading import Document, Fields, Loss, Reader, heading, is_object, stem

KIND: Final = "context-template"
LABEL: Final = "SillyTavern context template"
_ROLES: Final = {0: "system", 1: "user", 2: "assistant"}
_TAG: Final = re.compile(r"\{\{\{?\s*(?P<body>[^{}]*?)\s*\}?\}\}")
_TRIM: Final = re.compile(r"[\r\n]*\{\{\s*trim\s*\}\}[\r\n]*", re.IGNORECASE)
# A word between two tokens is the role's name, as in `<|start_header_id|>system<|end_header_id|>`.
_MARK: Final = r"(?:<\|[^|<>\s]+\|>|<[a-z_]+>|\[/?[A-Z_]+\]|</s>)"
_OPENING: Final = re.compile(rf"\A\s*(?:{_MARK}\s*)+(?:(?:system|user|model|assistant|developer)\b\s*(?:{_MARK}\s*)*)?")
_CLOSING: Final = re.compile(rf"\s*(?:{_MARK}\s*)+\Z")
# SillyTavern's variable → ours. Facts are JSON here, and hold what SillyTavern gives one by one.
_VARIABLES: Final = {
    "system": "instructions", "description": "characters", "persona": "personas", "scenario": "scenario",
    "wibefore": "worldLore", "lorebefore": "worldLore", "char": "char", "user": "user",
}  # fmt: skip
_ABSENT: Final = {
    "personality": "stands in `characters`, with the description",
    "wiafter": "stands in `worldLore`, with the entries before",
    "loreafter": "stands in `worldLore`, with the entries before",
    "mesexamples": "is given behind the history, in `postHistory.exampleDialogue`",
    "mesexamplesraw": "is given behind the history, in `postHistory.exampleDialogue`",
    "anchorbefore": "is a place of extensions; there are none here",
    "anchorafter": "is a place of extensions; there are none here",
}
_CHAT: Final = """
{{#each chatMessages as |chatMessage at|}}
{{#with ../postHistory}}
{{#if (and (eq at targetIndex) hasContent)}}
{{#systemBlock}}
{{#if instructions}}
{{{instructions}}}
{{/if}}
{{#if charInstructions}}
{{{charInstructions}}}
{{/if}}
{{#if exampleDialogue}}
{{{exampleDialogue}}}
{{/if}}
{{/systemBlock}}
{{/if}}
{{/with}}
{{#if (eq role "assistant")}}
{{#assistantBlock name=name}}
{{{message}}}
{{/assistantBlock}}
{{else if (eq role "user")}}
{{#userBlock name=name}}
{{{message}}}
{{/userBlock}}
{{else}}
{{#systemBlock}}
{{{message}}}
{{/systemBlock}}
{{/if}}
{{/each}}
"""
_WITHOUT_MEANING: Final = {
    "use_stop_strings": "stop strings are a format's or a preset's",
    "names_as_stop_strings": "stop strings are a format's or a preset's",
    "always_force_name2": "names before texts are the format's `names`",
    "trim_sentences": "changes the model's answer, not its prompt",
    "single_line": "changes the model's answer, not its prompt",
    "allow_jailbreak": "is a prompt config's post-history instructions",
    "example_separator": "stands before each example; examples are given as one text here",
}


def is_context(document: Any) -> bool:
    """Return whether `document` is a context template."""
    return is_object(document, "story_string")


def read_context(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return a context template. Tokens of one model around the story are left out: the format writes them."""
    fields = Fields(document)
    made = heading(KIND, 1, fields.text("name") or stem(name), "Context template")
    story = _story(fields, fields.text("story_string"))
    start = fields.text("chat_start")
    block = _ROLES.get(_role(fields), "system")
    made["template"] = f"{{{{#{block}Block}}}}\n{story}\n{{{{/{block}Block}}}}\n{_start(fields, start)}{_CHAT.lstrip()}"
    made["blankLines"] = "keep"
    fields.lose_unless_empty(_WITHOUT_MEANING)
    return made, fields.finish("is no field of a context template")


def _role(fields: Fields) -> int:
    """The role of the story; a place inside the chat is told as a loss."""
    position, depth = fields.number("story_string_position"), fields.number("story_string_depth")
    if position == 1:
        fields.lose("story_string_position", "the story opens the prompt here")
        if depth is not None:
            fields.lose("story_string_depth", "the story opens the prompt here")
    return fields.number("story_string_role") or 0


def _start(fields: Fields, text: str) -> str:
    """The line before the chat, as a system message of its own."""
    if not text.strip():
        return ""
    line = _bare(fields, "chat_start", _renamed(fields, "chat_start", text))
    return f"{{{{#systemBlock}}}}\n{line}\n{{{{/systemBlock}}}}\n"


def _story(fields: Fields, text: str) -> str:
    return _bare(fields, "story_string", _renamed(fields, "story_string", _without_absent(fields, text)))


def _bare(fields: Fields, key: str, text: str) -> str:
    """The text without a model's tokens at its ends."""
    opening, closing = _OPENING.search(text), _CLOSING.search(text)
    lost = " … ".join(match[0].strip() for match in (opening, closing) if match)
    if lost:
        fields.lose(key, f"the tokens around it are the format's: {lost[:200]}")
    return _CLOSING.sub("", _OPENING.sub("", text, count=1)).strip("\n")


def _without_absent(fields: Fields, text: str) -> str:
    """Take out the sections of what is not given by itself here."""
    for name, reason in _ABSENT.items():
        section = re.compile(
            rf"\{{\{{#if {name}\}}\}}(?:(?!\{{\{{[#/]if).)*?(?:\{{\{{else\}}\}}(?P<other>.*?))?\{{\{{/if\}}\}}",
            re.S | re.I,
        )
        text, sections = section.subn(lambda match: match["other"] or "", text)
        text, bare = re.subn(rf"\{{\{{\{{?\s*{name}\s*\}}?\}}\}}", "", text, flags=re.I)
        if sections or bare:
            fields.lose("story_string", f"`{name}` {reason}")
    return text


def _renamed(fields: Fields, key: str, text: str) -> str:
    """The text with our names for SillyTavern's variables; a macro that is none of them is left out."""
    text = _TRIM.sub("", text)

    def tag(match: re.Match[str]) -> str:
        body = match["body"]
        head, _, operand = body.rpartition(" ")
        name = operand.casefold()
        if head in ("#if", "#unless", "else if"):
            return f"{{{{{head} {_VARIABLES.get(name, operand)}}}}}"
        if body in ("else", "/if", "/unless"):
            return match[0]
        if body.casefold() in _VARIABLES:
            return f"{{{{{{{_VARIABLES[body.casefold()]}}}}}}}"
        if body.casefold() == "newline":
            return "\n"
        fields.lose(key, f"{match[0]} has no value in a context template and is left out")
        return ""

    return _TAG.sub(tag, text)


READERS: Final = (Reader(KIND, LABEL, "sillytavern", is_context, read_context),)
