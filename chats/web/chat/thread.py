"""The messages of a chat as its page shows them: the newest ones, and as many older ones as were asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from chats import selectors
from chats.models import ChatMessage
from chats.selectors import StoredMessage
from neotavern.ground.limits import MAX_MESSAGES
from neotavern.library.models import Item

FIRST: Final = 50
"""Messages that the page shows at first."""

MORE: Final = 200
"""Older ones that one click adds."""

LONG: Final = 6_000
SHOWN: Final = 2_000
"""A text of more than LONG characters shows so many of them, and the rest when asked."""

ROLES: Final = ("user", "assistant", "system", "tool")
_PLAIN: Final = frozenset({"role", "content", "name", "pinned", "excluded"})


@dataclass(frozen=True, slots=True)
class Row:
    """One message. `number` counts from the beginning of the chat; `text` is what was typed where it is being edited.

    `fault` says why it could not be saved, `theirs` what somebody else made of it meanwhile.
    """

    id: str
    number: int
    message: dict[str, Any]
    is_edited: bool = False
    is_first: bool = False
    is_last: bool = False
    typed: dict[str, str] = field(default_factory=dict)
    fault: str = ""
    theirs: str | None = None

    @property
    def role(self) -> str:
        """Who speaks."""
        return str(self.message["role"])

    @property
    def is_plain(self) -> bool:
        """True for a text and nothing else: edited as text, all others as JSON."""
        return _PLAIN.issuperset(self.message) and isinstance(self.message.get("content"), str)

    @property
    def text(self) -> str:
        """What it says, without what is no text."""
        return text_of(self.message)

    @property
    def head(self) -> str:
        """The beginning of a very long text, all of any other."""
        return self.text if len(self.text) <= LONG else self.text[:SHOWN]

    @property
    def rest(self) -> str:
        """What of a very long text is folded away."""
        return "" if len(self.text) <= LONG else self.text[SHOWN:]

    @property
    def others(self) -> list[str]:
        """The kinds of parts that are no text: images, files, sounds."""
        content = self.message.get("content")
        parts = content if isinstance(content, list) else []
        return [str(one.get("type")) for one in parts if one.get("type") != "text"]

    @property
    def calls(self) -> list[str]:
        """Its tool calls as one reads them."""
        functions = (one.get("function") or {} for one in self.message.get("tool_calls") or ())
        return [f"{one.get('name', '')}({_arguments(one.get('arguments'))})" for one in functions]

    @property
    def source(self) -> str:
        """The text of the editor: what was typed, else the message, as JSON where it is more than a text."""
        if "text" in self.typed:
            return self.typed["text"]
        return self.text if self.is_plain else as_json(self.message)

    @property
    def base(self) -> str:
        """What a save is compared with."""
        return self.typed.get("base") or orjson.dumps(self.message).decode()


def _arguments(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def as_json(message: dict[str, Any]) -> str:
    """Return a message as people edit it."""
    return json.dumps(message, ensure_ascii=False, indent=2)


def text_of(message: dict[str, Any]) -> str:
    """Return all text of a message."""
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(one.get("text", "")) for one in content if one.get("type") == "text")
    return content if isinstance(content, str) else ""


@dataclass(frozen=True, slots=True)
class Thread:
    """The rows in sight, oldest first; `count` are all messages of the chat."""

    rows: list[Row]
    count: int
    shown: int

    @property
    def older(self) -> int:
        """How many are above the first row."""
        return self.count - len(self.rows)

    @property
    def next_shown(self) -> int:
        """How many are in sight after one click more."""
        return self.shown + MORE

    @property
    def first(self) -> int:
        """The number of the first row."""
        return self.older + 1


def shown_of(text: str) -> int:
    """Return how many messages a page shows: a number that it sent, within bounds."""
    return max(FIRST, min(int(text), MAX_MESSAGES)) if text.isascii() and text.isdigit() and len(text) < 8 else FIRST


def thread_of(chat: Item, shown: int, *, edited: Row | None = None, edit: str = "", at: str = "") -> Thread:
    """Return the newest `shown` messages, and as many more as it takes to have one in sight.

    That is the one that is being edited (`edit` names it, `edited` is it), or the one that `at` names.
    """
    count = selectors.message_count(chat.pk)
    wanted = edited.id if edited is not None else edit or at
    place = _depth(chat, wanted) if wanted else None
    if place is not None and place >= shown:
        shown = min(place + FIRST, count)
    stored = selectors.stored_messages(chat.pk, newest=shown)
    return Thread(list(_rows(stored, count, edited, edit)), count, shown)


def _rows(stored: list[StoredMessage], count: int, edited: Row | None, edit: str) -> Iterator[Row]:
    first = count - len(stored) + 1
    for number, one in enumerate(stored, first):
        identity = str(one.id)
        if edited is not None and edited.id == identity:
            yield edited
            continue
        yield Row(
            identity,
            number,
            orjson.loads(one.body),
            is_edited=identity == edit,
            is_first=number == 1,
            is_last=number == count,
        )


def row_of(chat: Item, message_id: str, **more: Any) -> Row | None:
    """Return one message with its number, None for one that is not there."""
    depth = _depth(chat, message_id)
    if depth is None:
        return None
    count = selectors.message_count(chat.pk)
    number = count - depth
    body = ChatMessage.objects.values_list("body", flat=True).get(chat=chat, pk=int(message_id))
    return Row(message_id, number, orjson.loads(body), is_first=number == 1, is_last=depth == 0, **more)


def _depth(chat: Item, message_id: str) -> int | None:
    """Return how many messages come after one, None for one that is not there."""
    if not (message_id.isascii() and message_id.isdigit() and len(message_id) < 19):
        return None
    rows = ChatMessage.objects.filter(chat=chat)
    position = rows.filter(pk=int(message_id)).values_list("position", flat=True).first()
    if position is None:
        return None
    later = rows.filter(position__gt=position).count()
    return later + rows.filter(position=position, pk__gt=int(message_id)).count()


def neighbour(chat: Item, message_id: str, *, is_up: bool) -> str | None:
    """Return the message above or below one; None at the end of the chat."""
    depth = _depth(chat, message_id)
    wanted = None if depth is None else depth + 1 if is_up else depth - 1
    if wanted is None or wanted < 0:
        return None
    rows = ChatMessage.objects.filter(chat=chat).order_by("-position", "-id").values_list("pk", flat=True)
    found = list(rows[wanted : wanted + 1])
    return str(found[0]) if found else None
