"""SillyTavern's chat-completion presets in: the list of prompts becomes a prompt config's blocks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from formats.interchange.ordered import blocks_in
from formats.interchange.reading import Document, Fields, Loss, Reader, heading, is_object, stem

KIND: Final = "prompt-config"
IN_USE: Final = 100001
"""SillyTavern's own number for the order that is in use; 100000 is an older one."""

CORE: Final = {
    "main": "main-prompt", "worldInfoBefore": "world-info-before", "personaDescription": "persona",
    "charDescription": "character-description", "charPersonality": "character-personality", "scenario": "scenario",
    "worldInfoAfter": "world-info-after", "dialogueExamples": "dialogue-examples", "chatHistory": "chat-history",
    "jailbreak": "post-history-instructions",
}  # fmt: skip
TRIGGERS: Final = {"normal", "continue", "impersonate", "quiet", "regenerate"}
_SECRETS: Final = (
    "reverse_proxy",
    "proxy_password",
    "custom_include_headers",
    "custom_include_body",
    "custom_exclude_body",
    "custom_url",
)


def is_openai(document: Any) -> bool:
    """Return whether `document` is a chat-completion preset."""
    return is_object(document, "prompts", "prompt_order") and isinstance(document["prompts"], list)


def read_openai(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return a prompt config: texts and order of the prompts. Settings are lost, secrets not even shown."""
    fields = Fields(document)
    made = heading(KIND, 1, fields.text("name") or stem(name), "Chat completion preset")
    prompts = fields.objects("prompts")
    order = _order(fields)
    blocks = _Blocks(prompts, order)
    listed = blocks.listed()
    made |= {"systemPrompt": blocks.main, "postHistoryInstructions": blocks.after, "blocks": listed}
    for key in _SECRETS:
        if fields.raw(key):
            fields.lose(key, "belongs to one connection and may be secret: it is not kept")
    fields.adopt(prompts, "is no field of a prompt that is known here")
    return made, fields.finish("is a setting of a provider or of the program, not of the prompt's blocks")


def _order(fields: Fields) -> list[tuple[str, bool]]:
    """The identifiers of the order that is in use, and whether each is on; every other order is a loss."""
    lists = fields.objects("prompt_order")
    chosen = next((one for one in lists if one.raw("character_id") == IN_USE), lists[-1] if lists else None)
    found: list[tuple[str, bool]] = []
    for one in lists:
        entries = one.objects("order")
        one.raw("character_id")
        if one is chosen:
            found = [(entry.text("identifier"), entry.flag("enabled", default=True)) for entry in entries]
            one.adopt(entries, "is no field of an entry of the order")
        else:
            one.lose("order", "another order is the one in use")
    fields.adopt(lists, "is no field of an order")
    return found


class _Blocks:
    """The prompts as blocks, in the order in which they stand."""

    def __init__(self, prompts: list[Fields], order: list[tuple[str, bool]]) -> None:
        self.main = self.after = ""
        self._prompts = {prompt.text("identifier"): prompt for prompt in prompts}
        self._order = [(name, on) for name, on in order if name in self._prompts or name in CORE]
        named = {name for name, _ in self._order}
        for name, prompt in self._prompts.items():
            if name not in named:
                self._take(name, prompt, enabled=False)
                prompt.lose("identifier", f"the prompt {name!r} is not in the order that is in use")

    def listed(self) -> list[Document]:
        """Every block: the core blocks that the file leaves out are there and off, the last two end the list."""
        return blocks_in([(self._take(name, self._prompts.get(name), enabled=on), on) for name, on in self._order])

    def _take(self, name: str, prompt: Fields | None, *, enabled: bool) -> Document:
        block: Document = {"id": CORE.get(name) or _custom(name), "enabled": enabled}
        if prompt is None:
            return block
        for key in ("system_prompt", "marker", "enabled"):
            prompt.raw(key)
        role, content, title = prompt.text("role"), prompt.text("content"), prompt.text("name")
        if title:
            block["name"] = title[:500]
        if prompt.flag("forbid_overrides"):
            block["forbidOverrides"] = True
        if name == "main":
            self.main = content
        elif name == "jailbreak":
            self.after = content
        elif name not in CORE:
            block["content"] = content
        if role in ("system", "user", "assistant") and (role != "system" or name not in CORE):
            block["role"] = role
        self._place(prompt, block)
        return block

    def _place(self, prompt: Fields, block: Document) -> None:
        depth, order = prompt.number("injection_depth"), prompt.number("injection_order")
        if prompt.number("injection_position") == 1:
            block["injectionPosition"] = "in-chat"
            block["injectionDepth"] = min(max(4 if depth is None else depth, 0), 9_999)
            block["injectionOrder"] = min(max(100 if order is None else order, 0), 9_999)
        listed = prompt.raw("injection_trigger") or []
        known = [one for one in listed if one in TRIGGERS] if isinstance(listed, list) else []
        if known:
            block["triggers"] = known
        unknown = [one for one in listed if one not in TRIGGERS] if isinstance(listed, list) else [listed]
        if unknown:
            prompt.lose("injection_trigger", f"{', '.join(map(str, unknown))} is no kind of request here")


def _custom(identifier: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", identifier).strip("-._")[:100]
    return f"custom-{plain or 'prompt'}"


READERS: Final = (Reader(KIND, "SillyTavern chat-completion preset", "sillytavern", is_openai, read_openai),)
