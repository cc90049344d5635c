"""Saves of Kobold Lite and KoboldAI: one file with a story, a book and the layout that it was written in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from chats.documents.foreign import Loss, flag, number, text, texts
from chats.interchange.reading import is_object
from formats.interchange.reading import Part

OPPONENTS: Final = "||$||"
NOTE_MARK: Final = "<|>"
_TURN: Final = re.compile(r"\{\{\[(?P<who>INPUT|OUTPUT|SYSTEM)(?P<end>_END)?\]\}\}")
_ROLES: Final = {"INPUT": "user", "OUTPUT": "assistant", "SYSTEM": "system"}
_READ: Final = frozenset({
    "gamestarted", "prompt", "memory", "authorsnote", "anotetemplate", "actions", "worldinfo", "savedsettings",
})  # fmt: skip
_LAYOUT: Final = re.compile(r"instruct_|separate_end_tags|opmode")


def is_save(document: Any) -> bool:
    """Return whether `document` is a save."""
    return is_object(document, "gamestarted", "actions") and isinstance(document["actions"], list)


def split_save(document: Any) -> list[Part] | None:
    """Return the chat of a save, its book and its layout; what else it holds is lost with the chat."""
    if not is_save(document):
        return None
    given = document.get("savedsettings")
    settings: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    name = _opponents(settings)[0] if _opponents(settings) else "Story"
    losses = [Loss(str(key), "is no part of a chat that is known here") for key in document if key not in _READ]
    kept = ("chatname", "chatopponent")
    losses += [
        Loss(f"savedsettings.{key}", "is a setting of the program")
        for key in settings if key not in kept and not _LAYOUT.match(str(key))
    ]  # fmt: skip
    parts = [Part(name, _chat(document, settings, name, losses))]
    world = document.get("worldinfo") or []
    if not isinstance(world, list):
        losses.append(Loss("worldinfo", "must be an array of entries"))
        world = []
    book = [_entry(entry) for entry in world if isinstance(entry, Mapping)]
    if book:
        parts.append(Part(name, {"name": name, "extensions": {}, "entries": book}))
    layout = {key: value for key, value in settings.items() if _LAYOUT.match(str(key))}
    if layout.get("instruct_starttag") and layout.get("instruct_endtag") is not None:
        parts.append(Part(name, {"name": name, **layout}))
    return [parts[0]._replace(losses=tuple(losses)), *parts[1:]]  # type: ignore[arg-type]


def _opponents(settings: Mapping[str, Any]) -> list[str]:
    return [name for name in text(settings.get("chatopponent"), 1_000).split(OPPONENTS) if name]


def _chat(document: Mapping[str, Any], settings: Mapping[str, Any], name: str, losses: list[Loss]) -> dict[str, Any]:
    story = text(document.get("prompt")) + "".join(text(action) for action in document["actions"])
    names = {"user": text(settings.get("chatname"), 200), "assistant": (_opponents(settings) or [""])[0][:200]}
    if len(_opponents(settings)) > 1:
        losses.append(
            Loss("savedsettings.chatopponent", "replies are the first one's: a save does not say whose each is")
        )
    made: dict[str, Any] = {"kind": "chat", "version": 1, "name": name[:200], "messages": _messages(story, names)}
    if memory := text(document.get("memory")):
        made["scenario"] = memory
    if note := text(document.get("authorsnote")):
        frame = text(document.get("anotetemplate"))
        made["authorsNote"] = {"content": frame.replace(NOTE_MARK, note) if NOTE_MARK in frame else note}
    return made


def _messages(story: str, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """The story cut at its marks; one without marks is one text of the model's."""
    found: list[tuple[str, str]] = []
    role, at = "assistant", 0
    for match in _TURN.finditer(story):
        found.append((role, story[at : match.start()]))
        role, at = ("assistant" if match["end"] else _ROLES[match["who"]]), match.end()
    found.append((role, story[at:]))
    messages = []
    for who, words in found:
        if words.strip():
            named = {"name": names[who]} if names.get(who) else {}
            messages.append({"role": who, "content": words.strip("\n"), **named})
    return messages


def _entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "keys": texts(entry.get("key")),
        "secondary_keys": texts(entry.get("keysecondary")),
        "content": text(entry.get("content")),
        "name": text(entry.get("comment"), 500),
        "enabled": True,
        "constant": flag(entry.get("constant")),
        "selective": flag(entry.get("selective")),
        "insertion_order": number(entry.get("num"), 100),
        "extensions": {"probability": number(entry.get("probability"), 100, low=0, high=100)},
    }
