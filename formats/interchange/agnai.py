"""Agnai's presets in: instructions and their order, and what of the settings makes a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.interchange.ordered import PRESET, blocks_in, preset_of
from formats.interchange.reading import Document, Fields, Loss, Part, Reader, heading, is_object, stem

FAMILY: Final = "agnai"
FORMATS: Final = {"Alpaca": "alpaca", "ChatML": "chatml", "Mistral": "mistral", "Llama3": "llama3", "Vicuna": "vicuna"}
_BLOCKS: Final = {
    "system_prompt": "main-prompt", "personality": "character-personality", "scenario": "scenario",
    "impersonating": "persona", "memory": "world-info-before", "example_dialogue": "dialogue-examples",
    "chat_embed": "memory", "history": "chat-history", "ujb": "post-history-instructions",
}  # fmt: skip


def is_agnai(document: Any) -> bool:
    """Return whether `document` is a preset of Agnai."""
    return is_object(document, "gaslight") or is_object(document, "promptOrder", "useAdvancedPrompt")


def split_agnai(document: Any) -> list[Part] | None:
    """Return a preset's instructions, and beside them its settings."""
    if not is_agnai(document):
        return None
    name = document["name"] if isinstance(document.get("name"), str) else "Agnai preset"
    fields = Fields(document)
    keys = {"maxContextLength": "maxContextTokens", "maxTokens": "reserveForReply"}
    settings, lost = preset_of(fields, name, "stopSequences", keys)
    known = FORMATS.get(fields.text("modelFormat"))
    if known:
        settings["instructFormat"] = known
    taken = ("stopSequences", "modelFormat", *keys)
    rest = {key: value for key, value in document.items() if key not in taken}
    return [Part(name, {**rest, "gaslight": document.get("gaslight", "")}), Part(name, {PRESET: settings}, tuple(lost))]


def read_agnai(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return a prompt config: texts, and which sections stand in which order."""
    fields = Fields(document)
    made = heading("prompt-config", 1, fields.text("name") or stem(name), "Agnai preset")
    made["systemPrompt"] = fields.text("systemPrompt")
    made["postHistoryInstructions"] = fields.text("ultimeJailbreak")
    entries = fields.objects("promptOrder")
    order: list[tuple[Document, bool]] = []
    for entry in entries:
        placeholder, on = entry.text("placeholder"), entry.flag("enabled", default=True)
        if placeholder in _BLOCKS:
            order.append(({"id": _BLOCKS[placeholder]}, on))
        else:
            entry.lose("placeholder", f"{placeholder!r} is no section here")
    fields.adopt(entries, "is no field of the order")
    if order:
        made["blocks"] = blocks_in(order)
    fields.lose_unless_empty({
        "gaslight": "is a template of Agnai's own; the order of sections is kept",
        "prefill": "is given with a request, as assistantPrefill",
        "prefixNameAppend": "names before texts are the format's `names`",
        "ignoreCharacterSystemPrompt": "a block's forbidOverrides says that here",
    })  # fmt: skip
    return made, fields.finish("is a setting of the program or of a sampler")


READERS: Final = (Reader("prompt-config", "Agnai preset", FAMILY, is_agnai, read_agnai),)
