"""Chats of SillyTavern: JSON lines, the first of which says who talks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import orjson

from chats.documents import ChatSettings
from chats.documents.foreign import Loss, flag, number, text
from chats.interchange.reading import Reader, is_object

FAMILY: Final = "sillytavern"
NOTE_POSITIONS: Final = {0: "after", 1: "at_depth", 2: "before"}
NARRATOR: Final = "narrator"
VARIABLE_LIMIT: Final = 64


def is_header(value: Any) -> bool:
    """Return whether `value` is the first line of such a file."""
    return is_object(value, "user_name", "character_name")


def is_chat(lines: Any) -> bool:
    """Return whether `lines`, the parsed lines of a file, are a chat."""
    return isinstance(lines, list) and bool(lines) and is_header(lines[0])


def read_chat(lines: Any, name: str = "") -> tuple[dict[str, Any], list[Loss]]:
    """Return the chat with its messages. Swipes that were not taken are lost, hidden messages become excluded ones."""
    header: Mapping[str, Any] = lines[0]
    losses: list[Loss] = []
    messages = []
    for at, line in enumerate(lines[1:], start=2):
        made = _message(line, f"line {at}", losses)
        if made is not None:
            messages.append(made)
    user, character = text(header["user_name"], 200), text(header["character_name"], 200)
    losses += [Loss("character_name", f"{character!r} is not chosen by its name: choose the character")]
    metadata = header.get("chat_metadata")
    document = {
        "kind": "chat",
        "version": 1,
        "name": " · ".join(part for part in (character, text(header.get("create_date"), 100)) if part) or "Chat",
        **_settings(metadata if isinstance(metadata, Mapping) else {}, losses),
        "extensions": {FAMILY: {"user_name": user, "character_name": character}},
        "messages": messages,
    }
    return document, losses


def _message(line: Any, place: str, losses: list[Loss]) -> dict[str, Any] | None:
    if not isinstance(line, Mapping) or not isinstance(line.get("mes"), str):
        losses.append(Loss(place, "is no message"))
        return None
    given = line.get("extra")
    extra: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    role = "user" if flag(line.get("is_user")) else "assistant"
    hidden = flag(line.get("is_system"))
    if extra.get("type") == NARRATOR:
        role = "system"
    made: dict[str, Any] = {"role": role, "content": text(line["mes"])}
    if role != "system" and (name := text(line.get("name"), 200).strip()):
        made["name"] = name
    if role == "assistant" and (thought := text(extra.get("reasoning"))):
        made["reasoning_content"] = thought
    if isinstance(line.get("swipes"), list) and len(line["swipes"]) > 1:
        losses.append(Loss(f"{place}.swipes", "only the swipe that was taken is kept"))
    return made | ({"excluded": True} if hidden else {})


def _settings(metadata: Mapping[str, Any], losses: list[Loss]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if note := text(metadata.get("note_prompt")):
        made["authorsNote"] = {
            "content": note,
            "position": NOTE_POSITIONS.get(number(metadata.get("note_position"), 1), "at_depth"),
            "depth": number(metadata.get("note_depth"), 4, low=0, high=9_999),
            "interval": number(metadata.get("note_interval"), 1, low=0),
        }
    if text(metadata.get("scenario")):
        made["scenario"] = text(metadata["scenario"])
    variables = metadata.get("variables")
    if isinstance(variables, Mapping) and variables:
        kept = {key: str(value) for key, value in variables.items() if _is_variable(key, value)}
        made["variables"] = dict(list(kept.items())[:VARIABLE_LIMIT])
        losses += [
            Loss(f"chat_metadata.variables.{key}", "can not be a variable")
            for key in variables.keys() - made["variables"].keys()
        ]
    return made


def _is_variable(name: str, value: Any) -> bool:
    return 0 < len(name) <= 64 and isinstance(value, str | int | float) and len(str(value)) <= 2_048


def parse_lines(raw: bytes) -> list[Any] | None:
    """Return the parsed lines of a file whose first line is a chat's header; None for any other file."""
    head, _, rest = raw.partition(b"\n")
    try:
        first = orjson.loads(head)
        if not is_header(first):
            return None
        return [first, *(orjson.loads(line) for line in rest.splitlines() if line.strip())]
    except ValueError:
        return None


def export_jsonl(document: Mapping[str, Any]) -> tuple[bytes, list[Loss]]:
    """Return a chat, its messages inside, as such a file; tool messages are lost."""
    chat = ChatSettings.model_validate({key: value for key, value in document.items() if key != "messages"})
    known = chat.extensions.get(FAMILY)
    names: Mapping[str, Any] = known if isinstance(known, Mapping) else {}
    user, character = str(names.get("user_name") or "User"), str(names.get("character_name") or chat.name)
    losses: list[Loss] = []
    lines: list[dict[str, Any]] = [
        {"user_name": user, "character_name": character, "chat_metadata": _metadata(chat)},
    ]
    for at, message in enumerate(document.get("messages", ())):
        line = _line(message, user, character)
        if line is None:
            losses.append(Loss(f"messages[{at}]", "is no text of a person, a character or a narrator"))
        else:
            lines.append(line)
    return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines), losses


def _metadata(chat: ChatSettings) -> dict[str, Any]:
    note = chat.authors_note
    made: dict[str, Any] = {"variables": dict(chat.variables)}
    if note.content:
        position = next(key for key, word in NOTE_POSITIONS.items() if word == note.position)
        made |= {"note_prompt": note.content, "note_position": position, "note_depth": note.depth}
        made |= {"note_interval": note.interval}
    return made | ({"scenario": chat.scenario} if chat.scenario else {})


def _line(message: Mapping[str, Any], user: str, character: str) -> dict[str, Any] | None:
    content, role = message.get("content"), message["role"]
    if role == "tool" or not isinstance(content, str):
        return None
    extra: dict[str, Any] = {"type": NARRATOR} if role == "system" else {}
    if message.get("reasoning_content"):
        extra["reasoning"] = message["reasoning_content"]
    default = {"user": user, "assistant": character, "system": "Narrator"}[role]
    return {
        "name": message.get("name") or default,
        "is_user": role == "user",
        "is_system": bool(message.get("excluded")),
        "mes": content,
        "extra": extra,
    }


READERS: Final = (Reader("chat", "SillyTavern chat", FAMILY, is_chat, read_chat),)
