"""A conversation as a person pastes it: a JSON array of messages, or lines that begin with a role and a colon."""

from __future__ import annotations

import re
from typing import Any

from django.utils.translation import gettext as _

from neotavern.ground.canonical import loads
from neotavern.ground.errors import AppError, invalid

_TURN = re.compile(r"^(system|user|assistant|tool|human|model|gpt|developer|function)[ \t]*:[ \t]?", re.IGNORECASE)


def read_conversation(text: str) -> list[dict[str, Any]]:
    """Return messages. Raises VALIDATION at `messages` for text that is neither form."""
    text = text.replace("\r\n", "\n")
    if text.lstrip()[:1] in ("[", "{"):
        return _from_json(text)
    return _from_lines(text)


def _from_json(text: str) -> list[dict[str, Any]]:
    try:
        value = loads(text)
    except AppError as error:
        place = error.details[0] if error.details else None
        why = error.message if place is None else place.message or error.message
        raise invalid("messages", _("Your conversation is not JSON: %(why)s") % {"why": why}) from error
    if isinstance(value, dict):
        value = value.get("messages", [value])
    if not isinstance(value, list) or not all(isinstance(message, dict) for message in value):
        raise invalid(
            "messages", _("Your conversation must be a list of messages, each an object with role and content.")
        )
    return value


def _from_lines(text: str) -> list[dict[str, Any]]:
    """Each line `user: …` begins a message; lines without a role belong to the one before."""
    messages: list[dict[str, Any]] = []
    for line in text.strip("\n").split("\n"):
        turn = _TURN.match(line)
        if turn:
            messages.append({"role": turn[1].lower(), "content": line[turn.end() :]})
        elif messages:
            messages[-1]["content"] += "\n" + line
        elif line.strip():
            messages.append({"role": "user", "content": line})
    return messages
