"""Open WebUI's models and prompts in: a system prompt, and stop strings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from formats.interchange.reading import Document, Fields, Loss, Part, Reader, heading, is_object, stem, texts
from formats.interchange.wording import stops_of

CONFIG: Final = "prompt-config"
FAMILY: Final = "open-webui"
STOPS: Final = "$stops"
_MACROS: Final = {
    "USER_NAME": "{{user}}",
    "CURRENT_DATE": "{{date}}",
    "CURRENT_TIME": "{{time}}",
    "CURRENT_WEEKDAY": "{{weekday}}",
}
_TAG: Final = re.compile(r"\{\{\s*(?P<name>[A-Za-z0-9_]+)\s*(?P<rest>\|[^{}]*)?\}\}")


def split_model(document: Any) -> list[Part] | None:
    """Return a model with stop strings as a prompt config and a preset."""
    if not is_model(document) or not isinstance(document["params"].get("stop"), list):
        return None
    name = document.get("name") if isinstance(document.get("name"), str) else ""
    params = {key: value for key, value in document["params"].items() if key != "stop"}
    stops = {STOPS: document["params"]["stop"], "name": name}
    return [Part(name or "", {**document, "params": params}), Part(name or "", stops)]


def is_model(document: Any) -> bool:
    """Return whether `document` is a model of a workspace."""
    return is_object(document, "base_model_id", "params") and isinstance(document["params"], Mapping)


def read_model(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return a model's system prompt."""
    fields, params = Fields(document), Fields(document["params"], "params")
    made = heading(CONFIG, 1, fields.text("name") or fields.text("id") or stem(name), "Open WebUI model")
    made["systemPrompt"] = _text(params, "system")
    for key in ("id", "base_model_id", "params"):
        fields.raw(key)
    meta = fields.raw("meta")
    if isinstance(meta, Mapping):
        about = Fields(meta, "meta")
        made["description"] = about.text("description")
        fields.adopt([about], "describes the model, not its prompt")
    fields.adopt([params], "is a sampler setting; the program that calls the model keeps those")
    return made, fields.finish("is no part of a prompt")


def is_stops(document: Any) -> bool:
    """Return whether `document` holds a model's stop strings."""
    return is_object(document, STOPS)


def read_stops(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return a preset with a model's stop strings."""
    made = heading("preset", 1, str(document.get("name") or stem(name)), "Open WebUI model")
    return made | {"stopStrings": stops_of(texts(document[STOPS]))}, []


def is_prompt(document: Any) -> bool:
    """Return whether `document` is a prompt of a workspace."""
    return is_object(document, "command", "content")


def read_prompt(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return a prompt as a system prompt."""
    fields = Fields(document)
    command = fields.text("command")
    made = heading(CONFIG, 1, fields.text("title") or command.lstrip("/") or stem(name), "Open WebUI prompt")
    made["systemPrompt"] = _text(fields, "content")
    fields.lose("command", "there are no commands here")
    return made, fields.finish("is no part of a prompt")


def _text(fields: Fields, key: str) -> str:
    """The text with our macros for Open WebUI's; a question to the user becomes a variable of its name."""

    def tag(match: re.Match[str]) -> str:
        if match["rest"]:
            fields.lose(key, f"{match[0]} asks the user: it is the variable {match['name']!r} here")
        return _MACROS.get(match["name"], f"{{{{{match['name']}}}}}")

    return _TAG.sub(tag, fields.text(key))


READERS: Final = (
    Reader(CONFIG, "Open WebUI model", FAMILY, is_model, read_model),
    Reader("preset", "Open WebUI model's stop strings", FAMILY, is_stops, read_stops),
    Reader(CONFIG, "Open WebUI prompt", FAMILY, is_prompt, read_prompt),
)
