"""SillyTavern's small files in: system prompts, reasoning templates, text-completion samplers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.interchange.reading import Document, Fields, Loss, Reader, heading, is_object, stem, texts
from formats.interchange.wording import stops_of

FAMILY: Final = "sillytavern"
SAMPLER: Final = "is a sampler setting; the program that calls the model keeps those"
REASONING: Final = "$reasoning"
"""Where an instruct template of a master export carries the reasoning template that stands beside it."""

_SAMPLER_MARKS: Final = ("temp", "top_k", "top_p", "rep_pen")


def is_sysprompt(document: Any) -> bool:
    """Return whether `document` is a system prompt."""
    if not is_object(document, "name", "content"):
        return False
    return document.keys() <= {"name", "content", "post_history"} and isinstance(document["content"], str)


def read_sysprompt(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return a system prompt as a prompt config."""
    fields = Fields(document)
    made = heading("prompt-config", 1, fields.text("name") or stem(name), "System prompt")
    made["systemPrompt"] = fields.text("content")
    after = fields.text("post_history")
    if after:
        made["postHistoryInstructions"] = after
    return made, fields.finish("is no field of a system prompt")


def is_reasoning(document: Any) -> bool:
    """Return whether `document` is a reasoning template."""
    return is_object(document, "name", "prefix", "suffix", "separator")


def read_reasoning(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return a prompt config that only keeps a reasoning template: the marks are a format's, and no format is given."""
    fields = Fields(document)
    made = heading("prompt-config", 1, fields.text("name") or stem(name), "Reasoning")
    marks = {key: fields.text(key) for key in ("prefix", "suffix", "separator")}
    made["description"] = "Marks around reasoning, from SillyTavern. A format's `reasoning` is where they work."
    made["extensions"] = {"sillytavern": {"reasoning": marks}}
    for key in marks:
        fields.lose(key, "is kept under extensions; it works in a format's `reasoning`")
    return made, fields.finish("is no field of a reasoning template")


def reasoning_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the `reasoning` section of a format from a reasoning template."""
    fields = Fields(document)
    fields.text("name")
    return {"start": fields.text("prefix"), "end": fields.text("suffix") + fields.text("separator")}


def is_textgen(document: Any) -> bool:
    """Return whether `document` is a sampler preset of SillyTavern's text completion."""
    return is_object(document, *_SAMPLER_MARKS) or (
        is_object(document, "temp", "rep_pen") and "top_p" in document and "max_length" in document
    )


def read_textgen(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return what of a sampler preset tells how to make a prompt, as a preset; every sampler setting is a loss."""
    fields = Fields(document)
    made = heading("preset", 1, fields.text("name") or stem(name), "Sampler preset")
    if fields.flag("add_bos_token"):
        # The back end puts a BOS before the prompt, so the prompt must not have one.
        made["bos"] = "omit"
    stops = stops_of(texts(fields.raw("custom_stopping_strings")))
    if stops:
        made["stopStrings"] = stops
    _limits(fields, made)
    return made, fields.finish(SAMPLER)


def _limits(fields: Fields, made: Document) -> None:
    for key, ours, least in (("max_length", "maxContextTokens", 256), ("genamt", "reserveForReply", 0)):
        number = fields.number(key)
        if number is not None and least <= number <= 10_000_000:
            made[ours] = number


READERS: Final = (
    Reader("prompt-config", "SillyTavern reasoning template", FAMILY, is_reasoning, read_reasoning),
    Reader("prompt-config", "SillyTavern system prompt", FAMILY, is_sysprompt, read_sysprompt),
    Reader("preset", "SillyTavern sampler preset", FAMILY, is_textgen, read_textgen),
)
