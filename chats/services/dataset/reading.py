"""Reads one row: OpenAI's messages, a bare array, or ShareGPT's conversations; every other column stays with it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import orjson

from formats.prompt.message import Message
from neotavern.ground.canonical import loads
from neotavern.ground.errors import AppError, invalid

MESSAGES: Final = "messages"
CONVERSATIONS: Final = "conversations"
TOOLS: Final = "tools"
SKILLS: Final = "skills"
SHAREGPT: Final = {"from": "role", "value": "content"}


class Row(NamedTuple):
    """A conversation with its tools and skills, and the columns that are only handed on."""

    messages: list[Message]
    tools: list[Any]
    skills: list[Any]
    columns: dict[str, Any]


def read_row(line: bytes) -> Row:
    """Return the row of a line. Raises AppError and MessageError, each with the place of the fault."""
    value = columns_of(loads(line))
    tools, skills = _list(value, TOOLS), _list(value, SKILLS)
    return Row(Message.read_all(_messages(value)), tools, skills, value)


def columns_of(value: Any) -> dict[str, Any]:
    """Return a row as an object; a bare array is its messages. Raises VALIDATION."""
    if isinstance(value, list):
        return {MESSAGES: value}
    if isinstance(value, dict):
        return value
    raise invalid("", "A row is an object with `messages`, or an array of messages.")


def _messages(value: dict[str, Any]) -> list[Any]:
    if MESSAGES in value and CONVERSATIONS in value:
        raise invalid(CONVERSATIONS, "The row has `messages` and `conversations`: keep one.")
    if MESSAGES in value:
        found = value.pop(MESSAGES)
    elif CONVERSATIONS in value:
        found = value.pop(CONVERSATIONS)
        found = [_from_sharegpt(one) for one in found] if isinstance(found, list) else found
    else:
        raise invalid(MESSAGES, "The row has no `messages`.")
    if not isinstance(found, list):
        raise invalid(MESSAGES, "must be an array of messages")
    return found


def _from_sharegpt(message: Any) -> Any:
    if not isinstance(message, dict) or "role" in message:
        return message
    return {SHAREGPT.get(key, key): one for key, one in message.items()}


def _list(value: dict[str, Any], name: str) -> list[Any]:
    """Return a list column; data sets often keep it as JSON text, since its objects differ from row to row."""
    found = value.pop(name, None)
    if isinstance(found, str):
        try:
            found = orjson.loads(found) if found.strip() else None
        except orjson.JSONDecodeError as error:
            raise invalid(name, f"is text that is no JSON: {error.msg}") from error
    if found is None:
        return []
    if not isinstance(found, list):
        raise invalid(name, "must be an array")
    return found


def columns_kept(line: bytes) -> dict[str, Any]:
    """Return the columns of a row that was refused, as far as it can be read."""
    try:
        value = loads(line)
    except AppError:
        return {}
    return value if isinstance(value, dict) else {}
