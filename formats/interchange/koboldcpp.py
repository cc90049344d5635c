"""KoboldCpp adapters and Kobold Lite's instruct settings in; adapters out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.interchange.reading import Document, Fields, Loss, Reader, heading, is_object, stem
from formats.interchange.wording import framed, opens_with_token, stops_of, tokens_in

KIND: Final = "instruct-format"
ROLES: Final = ("system", "user", "assistant")
_TAGS: Final = {"system": "instruct_systag", "user": "instruct_starttag", "assistant": "instruct_endtag"}


def is_adapter(document: Any) -> bool:
    """Return whether `document` is a KoboldCpp adapter."""
    return is_object(document, "user_start", "assistant_start")


def read_adapter(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return the format of an adapter."""
    fields = Fields(document)
    made = heading(KIND, 2, fields.text("name") or stem(name), "KoboldCpp adapter")
    tags = {role: (fields.text(f"{role}_start"), fields.text(f"{role}_end")) for role in ROLES}
    tags["tool"] = (fields.text("tools_start", tags["user"][0]), fields.text("tools_end", tags["user"][1]))
    _fill(made, tags, fields.text("assistant_gen") or tags["assistant"][0])
    return made, fields.finish("is no part of a layout that is known here")


def is_lite(document: Any) -> bool:
    """Return whether `document` has Kobold Lite's instruct tags."""
    return is_object(document, "instruct_starttag", "instruct_endtag")


def read_lite(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return the format of Kobold Lite's settings, in which a line end is written as backslash and n."""
    fields = Fields(document)
    made = heading(KIND, 2, fields.text("name") or stem(name), "Kobold Lite")
    closes = fields.flag("separate_end_tags")
    tags = {}
    for role, key in _TAGS.items():
        after = unescaped(fields.text(f"{key}_end"))
        if after and not closes:
            fields.lose(f"{key}_end", "is switched off by separate_end_tags")
        tags[role] = (unescaped(fields.text(key)), after if closes else "")
    fields.text("instruct_sysprompt")
    fields.number("opmode")
    _fill(made, tags | {"tool": tags["user"]}, tags["assistant"][0])
    return made, fields.finish("is a setting of the program, not of the layout")


def unescaped(text: str) -> str:
    """Return the text with its line ends."""
    return text.replace("\\n", "\n")


def _fill(made: Document, tags: Mapping[str, tuple[str, str]], suffix: str) -> None:
    for role, (before, after) in tags.items():
        made[role] = framed(before, after)
    made["promptSuffix"] = suffix
    texts = [text for pair in tags.values() for text in pair]
    stops = [tags["assistant"][1].strip(), *(_stop(tags[role][0]) for role in ("user", "assistant"))]
    made |= {"stopStrings": stops_of(stops), "specialTokens": tokens_in(texts), "names": "none"}


def _stop(tag: str) -> str:
    """The tag as a stop string: a token by itself, words with the line end before them."""
    text = tag.strip()
    return text if opens_with_token(text) or not tag.startswith("\n") else f"\n{text}"


READERS: Final = (
    Reader(KIND, "KoboldCpp adapter", "koboldcpp", is_adapter, read_adapter),
    Reader(KIND, "Kobold Lite instruct settings", "koboldlite", is_lite, read_lite),
)
