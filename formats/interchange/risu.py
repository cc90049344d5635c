"""RisuAI presets in: the items of the prompt template as blocks, the chat template, what of the rest makes a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.interchange.ordered import PRESET, blocks_in, preset_of
from formats.interchange.reading import Document, Fields, Loss, Part, Reader, heading, is_object, stem
from formats.interchange.tgwui import BARE
from formats.interchange.wording import tokens_in

FAMILY: Final = "risu"
JINJA: Final = "JinjaTemplate"
FORMATS: Final = {
    "llama3": "llama3",
    "chatml": "chatml",
    "mistral": "mistral",
    "alpaca": "alpaca",
    "vicuna": "vicuna",
    "gemma": "gemma",
}
_ITEMS: Final = {
    "persona": "persona", "description": "character-description", "lorebook": "world-info-before", "memory": "memory",
    "authornote": "authors-note", "chat": "chat-history", "postEverything": "post-history-instructions",
}  # fmt: skip
_ROLES: Final = {"system": "system", "user": "user", "bot": "assistant", "assistant": "assistant"}
_SETTINGS: Final = ("instructChatTemplate", JINJA, "useInstructPrompt", "localStopStrings", "maxContext", "maxResponse")


def is_risu(document: Any) -> bool:
    """Return whether `document` is a preset of Risu."""
    return is_object(document, "promptTemplate") or is_object(document, "formatingOrder", "mainPrompt")


def split_risu(document: Any) -> list[Part] | None:
    """Return a preset's chat template, its prompts and its settings."""
    if not is_risu(document) or (JINJA not in document and "instructChatTemplate" not in document):
        return None
    name = document["name"] if isinstance(document.get("name"), str) else "Risu preset"
    fields = Fields(document)
    keys = {"maxContext": "maxContextTokens", "maxResponse": "reserveForReply"}
    settings, lost = preset_of(fields, name, "localStopStrings", keys)
    parts = [Part(name, {key: value for key, value in document.items() if key not in _SETTINGS})]
    template = fields.text("instructChatTemplate")
    if template == "jinja" and fields.text(JINJA):
        parts.insert(0, Part(name, {JINJA: fields.text(JINJA), "name": name}))
    elif template in FORMATS:
        settings["instructFormat"] = FORMATS[template]
    elif template:
        lost.append(Loss("instructChatTemplate", f"{template!r} is no format that is known here"))
    return [*parts, Part(name, {PRESET: settings}, tuple(lost))]


def is_template(document: Any) -> bool:
    """Return whether `document` is a preset's chat template."""
    return is_object(document, JINJA) and isinstance(document[JINJA], str)


def read_template(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return a format that its Jinja source renders."""
    fields = Fields(document)
    made = heading("instruct-format", 2, fields.text("name") or stem(name), "Risu chat template")
    source = fields.text(JINJA)
    return made | BARE | {"chatTemplate": source, "specialTokens": tokens_in([source])}, fields.finish(
        "is not known here"
    )


def read_risu(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return a prompt config: the texts and the order of the items."""
    fields = Fields(document)
    made = heading("prompt-config", 1, fields.text("name") or stem(name), "Risu preset")
    items = fields.objects("promptTemplate")
    made |= {"systemPrompt": fields.text("mainPrompt"), "postHistoryInstructions": fields.text("globalNote")}
    order = [block for at, item in enumerate(items) if (block := _block(item, at, made)) is not None]
    fields.adopt(items, "is no field of an item that is known here")
    if order:
        made["blocks"] = blocks_in([(block, True) for block in order])
    fields.lose_unless_empty(
        {"jailbreak": "is no section of its own here", "formatingOrder": "the template's order holds"}
    )
    return made, fields.finish("is a setting of the program or of a sampler")


def _block(item: Fields, at: int, made: Document) -> Document | None:
    kind, second = item.text("type"), item.text("type2")
    text, role = item.text("text"), _ROLES.get(item.text("role"), "system")
    inner = item.text("innerFormat")
    if inner and inner != "{{slot}}":
        item.lose("innerFormat", "a section is printed without a text around it")
    if kind == "chat":
        if item.raw("rangeStart") not in (None, 0) or item.raw("rangeEnd") not in (None, "end"):
            item.lose("rangeStart", "the whole history stands in one place")
        return {"id": "chat-history"}
    if kind in _ITEMS:
        return {"id": _ITEMS[kind]}
    if kind == "plain" and second == "main":
        made["systemPrompt"] = text
        return {"id": "main-prompt"}
    if kind in ("plain", "jailbreak", "cot"):
        return {"id": f"custom-item-{at}", "name": second or kind, "content": text, "role": role}
    item.lose("type", f"{kind!r} is no section here")
    return None


READERS: Final = (
    Reader("instruct-format", "Risu chat template", FAMILY, is_template, read_template),
    Reader("prompt-config", "Risu preset", FAMILY, is_risu, read_risu),
)
