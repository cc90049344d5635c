"""The turns of a chat as `chatMessages`: each with role, name and text, and at the end the turn to go on from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from chats.macros.scope import CHAR, USER
from chats.pipeline.sources import Sources
from formats.context.variables import SEED_ID
from formats.prompt.message import Message

SILENT: Final = "quiet"
IMPERSONATE: Final = "impersonate"


@dataclass(frozen=True, slots=True)
class Turn:
    """One entry of `chatMessages` with the message behind it; `place` is its place among those given, None: made."""

    entry: dict[str, Any]
    message: Message
    place: int | None


@dataclass(frozen=True, slots=True)
class Turns:
    """The turns that take part, oldest first, and the open one, which is always the last entry of chatMessages.

    `is_kept`: the open turn is part of the prompt. Where nobody's reply is asked for, the template still sees it, so
    that what stands before it has a place, and it is taken out afterwards.
    """

    closed: tuple[Turn, ...]
    seed: Turn
    is_kept: bool = True

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The template's chatMessages."""
        return [*(turn.entry for turn in self.closed), self.seed.entry]


def turns_of(sources: Sources, history: tuple[Message, ...]) -> Turns:
    """Return the turns of `history`; one that is continued is the open one, with the prefill behind its text."""
    settings = sources.settings
    turns = [_turn(sources, message, at) for at, message in enumerate(history) if not message.excluded]
    if settings.continue_final_message and turns:
        last = turns.pop()
        entry = last.entry | {"id": SEED_ID, "isSeed": True, "message": last.entry["message"] + settings.prefill}
        return Turns(tuple(turns), Turn(entry, last.message, last.place))
    is_user = sources.generation_type == IMPERSONATE
    role = "user" if is_user else "assistant"
    name = user_name(sources) if is_user else char_name(sources)
    entry = {"id": SEED_ID, "role": role, "name": name, "message": settings.prefill, "isSeed": True}
    seed = Turn(entry, Message(role, settings.prefill, origin="prefill"), None)
    is_kept = settings.add_generation_prompt and sources.generation_type != SILENT
    return Turns(tuple(turns), seed, is_kept and not (is_user and not sources.is_text))


def user_name(sources: Sources) -> str:
    """Return the name that the user speaks under."""
    return sources.cast.user or USER


def char_name(sources: Sources) -> str:
    """Return the name of who speaks next."""
    return sources.cast.speaker or CHAR


def _turn(sources: Sources, message: Message, place: int) -> Turn:
    return Turn(
        {
            "id": message.id,
            "role": message.role,
            "name": message.name or _name(sources, message),
            "message": message.plain,
            "isSeed": False,
        },
        message,
        place,
    )


def _name(sources: Sources, message: Message) -> str:
    return {"user": user_name(sources), "assistant": char_name(sources)}.get(message.role, "")
