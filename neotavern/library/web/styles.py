"""The file formats that objects of a kind are exported as, in words."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext_lazy as lazy

from neotavern.library.kinds import Kind

OWN = "neotavern"
WORDS = {
    OWN: lazy("NeoTavern document"),
    "card": lazy("Character card, JSON"),
    "card-png": lazy("Character card, picture"),
    "worldinfo": lazy("World Info, JSON"),
    "sillytavern": lazy("SillyTavern, JSON"),
    "sillytavern-master": lazy("SillyTavern master export, JSON"),
    "koboldcpp": lazy("KoboldCpp, JSON"),
    "ollama": lazy("Ollama Modelfile"),
    "chat_bricks": lazy("chat_bricks, JSON"),
    "jinja": lazy("Chat template, Jinja"),
    "vllm": lazy("Chat template for vLLM, Jinja"),
    "llamacpp": lazy("Chat template for llama.cpp, Jinja"),
    "textgen": lazy("Instruction template of text-generation-webui, YAML"),
    "openai": lazy("OpenAI messages, JSON"),
    "lorebook/card": lazy("Lorebook of a V3 card, JSON"),
    "lorebook/worldinfo": lazy("SillyTavern World Info, JSON"),
    "character/worldinfo": lazy("Its own book as World Info, JSON"),
    "chat/sillytavern": lazy("SillyTavern chat, lines of JSON"),
}
"""Words for a style, or for `kind/style`. A style that is not listed is shown by its own name."""


class Style(NamedTuple):
    """One entry of the export menu."""

    name: str
    words: str


def styles_of(kind: Kind) -> list[Style]:
    """Return what a kind is exported as, our own document first."""
    names = sorted(kind.exporters, key=lambda name: (name != OWN, name))
    return [Style(name, str(WORDS.get(f"{kind.name}/{name}", WORDS.get(name, name)))) for name in names]
