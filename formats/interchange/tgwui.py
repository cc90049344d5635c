"""text-generation-webui's instruction templates in: April 2023, from May 2023 on, and Jinja from 2024 on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.interchange.reading import Document, Fields, Loss, Reader, heading, is_object, stem
from formats.interchange.wording import CONTENT, framed, opens_with_token, stops_of, tokens_in

KIND: Final = "instruct-format"
FAMILY: Final = "text-generation-webui"
LABEL: Final = "text-generation-webui instruction template"
_USER: Final = "<|user-message|>"
_BOT: Final = "<|bot-message|>"
_SYSTEM: Final = "<|system-message|>"
BARE: Final = dict.fromkeys(("system", "user", "assistant", "tool"), CONTENT)
"""Role templates of a format that its chat template renders."""


def is_first(document: Any) -> bool:
    """Return whether `document` is a template of April 2023."""
    return is_object(document, "name", "your_name")


def read_first(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return the format: the bot's and the user's heading, each on a line of its own."""
    fields = Fields(document)
    made = heading(KIND, 2, stem(name), "Instruction template")
    user, bot, end = fields.text("your_name"), fields.text("name"), fields.text("end_of_turn")
    context = fields.text("context").strip()
    made |= {
        "system": framed("", "\n"),
        "user": framed(f"{user}\n", f"{end}\n"),
        "assistant": framed(f"{bot}\n", f"{end}\n"),
        "tool": framed(f"{user}\n", f"{end}\n"),
        "promptSuffix": f"{bot}\n",
        "trim": {"user": True, "assistant": True},
        "stopStrings": stops_of([end, *_stops(user, bot)]),
        "specialTokens": tokens_in((user, bot, end)),
    }
    _default_system(made, fields, context)
    return made, fields.finish("is no field of an instruction template that is known here")


def is_turns(document: Any) -> bool:
    """Return whether `document` is a template with a turn in it."""
    return is_object(document, "turn_template")


def read_turns(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return the format of a turn template, cut before the bot's heading."""
    fields = Fields(document)
    made = heading(KIND, 2, stem(name), "Instruction template")
    user, bot = fields.text("user").strip(), fields.text("bot").strip()
    turn = fields.text("turn_template")
    if "<|round|>" in turn + user + bot:
        fields.lose("user" if "<|round|>" in user else "turn_template", "`<|round|>` counts turns: it is left out")
        turn, user, bot = (text.replace("<|round|>", "") for text in (turn, user, bot))
    asked, answered = _halves(turn)
    before_user, after_user = _around(asked, _USER, {"<|user|>": user, "<|bot|>": bot})
    before_bot, after_bot = _around(answered, _BOT, {"<|user|>": user, "<|bot|>": bot})
    before, after, context = _context(fields)
    made |= {
        "system": framed(before, after),
        "user": framed(before_user, after_user),
        "assistant": framed(before_bot, after_bot),
        "tool": framed(before_user, after_user),
        "promptSuffix": before_bot.rstrip(" "),
        "trim": {"user": True, "assistant": True},
        "stopStrings": stops_of(_stops(before_user or user, before_bot or bot)),
        "specialTokens": tokens_in((before, after, context, before_user, after_user, before_bot, after_bot)),
    }
    _default_system(made, fields, context)
    return made, fields.finish("is no field of an instruction template that is known here")


def _halves(turn: str) -> tuple[str, str]:
    """The user's half and the bot's; a template without a bot's heading is cut behind the user's text."""
    if "<|bot|>" in turn:
        asked, _, answered = turn.partition("<|bot|>")
        return asked, f"<|bot|>{answered}"
    asked, mark, answered = turn.partition(_USER)
    return asked + mark, answered


def _around(half: str, mark: str, values: Mapping[str, str]) -> tuple[str, str]:
    for key, value in values.items():
        half = half.replace(key, value)
    before, _, after = half.partition(mark)
    return before, after


def _context(fields: Fields) -> tuple[str, str, str]:
    """What stands before and after the system text, white space among it, and that text."""
    context, system = fields.text("context"), fields.text("system_message")
    if _SYSTEM in context:
        before, _, after = context.partition(_SYSTEM)
        return before, after, system
    if system:
        fields.lose("system_message", "the context has no place for it")
    if tokens_in([context]):
        fields.lose("context", "holds markup: a chat's own system message replaces that too")
    text = context.strip()
    start = context.index(text)
    return context[:start], context[start + len(text) :], text


def _default_system(made: Document, fields: Fields, text: str) -> None:
    if text:
        made["defaultSystem"] = text


def _stops(*headings: str) -> list[str]:
    return [text if opens_with_token(text) else f"\n{text.strip()}" for text in headings if text.strip()]


def is_jinja(document: Any) -> bool:
    """Return whether `document` is a template of 2024 or later."""
    return is_object(document, "instruction_template") and isinstance(document["instruction_template"], str)


def read_jinja(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return a format that its Jinja source renders."""
    fields = Fields(document)
    made = heading(KIND, 2, stem(name), "Instruction template")
    source = fields.text("instruction_template")
    made |= BARE | {"chatTemplate": source, "specialTokens": tokens_in([source])}
    return made, fields.finish("is no field of an instruction template that is known here")


READERS: Final = (
    Reader(KIND, LABEL, FAMILY, is_jinja, read_jinja),
    Reader(KIND, LABEL, FAMILY, is_turns, read_turns),
    Reader(KIND, LABEL, FAMILY, is_first, read_first),
)
