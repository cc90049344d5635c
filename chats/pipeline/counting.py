"""What each message costs: its content, and what the format writes around a turn of its role."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from chats.pipeline.unread import unread_tokens
from formats.handlebars import TemplateError
from formats.prompt.compiled import CompiledFormat
from formats.prompt.errors import PromptError
from formats.prompt.message import Message
from formats.tokens import Tokenizer

CHAT_TURN: Final = 4
"""What chat back ends add to each message of an array."""

CHAT_REPLY: Final = 3
"""And before the reply."""

ROLES: Final = ("system", "user", "assistant", "tool")
FILLING: Final = "x"


@dataclass(frozen=True, slots=True)
class Costs:
    """Counts messages before they are text. `of_role` stands around a turn, `fixed` is what a prompt has anyway."""

    count: Callable[[str], int]
    of_role: Mapping[str, int]
    fixed: int

    def message(self, message: Message) -> int:
        """Return what one message costs."""
        text = message.text
        if text and not message.name:  # what most are
            return self.of_role[message.role] + self.count(text)
        known = unread_tokens(message)
        return self.of_role[message.role] + (content_tokens(message, self.count) if known is None else known)

    def all(self, messages: Iterable[Message]) -> list[int]:
        """Return what each costs; an excluded one nothing."""
        return [0 if message.excluded else self.message(message) for message in messages]


def content_tokens(message: Message, count: Callable[[str], int]) -> int:
    """Return the tokens of what a message says: its text, its name, its calls. This is what a stored chat keeps."""
    text = message.text
    cost = count(message.plain if text is None else text)
    if message.name:
        cost += count(message.name) + 1
    if message.tool_calls:
        cost += count(compact(list(message.tool_calls)))
    return cost


def costs_for(form: CompiledFormat | None, counter: Tokenizer, tools: Sequence[Any], extra: str = "") -> Costs:
    """Return the costs of a format's turns, or of an array's; `extra` is text that every prompt has, as a prefill."""
    fixed = (counter.count(compact(list(tools))) if tools else 0) + (counter.count(extra) if extra else 0)
    if form is None:
        return Costs(counter.count, dict.fromkeys(ROLES, CHAT_TURN), fixed + CHAT_REPLY)
    turns, own = _wrappers(form, counter)  # type: ignore[arg-type]  # protocols do not say that they hash
    return Costs(counter.count, turns, fixed + own)


def array_tokens(messages: Iterable[Message], counter: Tokenizer, tools: Sequence[Any], prefill: str) -> int:
    """Return the sum for an array: contents, names, calls and tools, 4 for each message, 3 before the reply."""
    costs = costs_for(None, counter, tools)
    open_reply = CHAT_TURN + counter.count(prefill) if prefill else 0
    return costs.fixed + sum(costs.all(messages)) + open_reply


def compact(value: Any) -> str:
    """Return JSON as short as it goes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=256)
def _wrappers(form: CompiledFormat, counter: Tokenizer) -> tuple[Mapping[str, int], int]:
    """Return what the format writes around a turn of each role, and what it writes once.

    Measured on a small conversation: the difference that a turn makes. What a format refuses is assumed.
    """
    user, assistant = Message("user", FILLING), Message("assistant", FILLING)
    content = counter.count(FILLING)
    small = _count(form, counter, [user, assistant, user])
    large = _count(form, counter, [user, assistant, user, assistant, user])
    if small is None or large is None:
        return dict.fromkeys(ROLES, CHAT_TURN), CHAT_TURN
    turn = max(0, -(-(large - small - 2 * content) // 2))
    costs = {"user": turn, "assistant": turn}
    for role in ("system", "tool"):
        place = 0 if role == "system" else 2
        messages = [user, assistant, user]
        messages.insert(place, Message(role, FILLING))
        made = _count(form, counter, messages)
        costs[role] = turn if made is None else max(0, made - small - content)
    return costs, max(0, small - 3 * (turn + content))


def _count(form: CompiledFormat, counter: Tokenizer, messages: list[Message]) -> int | None:
    try:
        return counter.count(form.render(messages).text)
    except (PromptError, TemplateError):
        return None
