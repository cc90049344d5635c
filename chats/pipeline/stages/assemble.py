"""Assemble stage, by blocks: which messages the prompt has, in which order. The only block so far is the history."""

from __future__ import annotations

from chats.pipeline.ports import Ports
from chats.pipeline.sources import Assembled, Excluded, Sources
from chats.pipeline.trace import Change, Step
from formats.prompt.errors import Fault, MessageError
from formats.prompt.message import Message

MANUAL = "manual"


def assemble_blocks(sources: Sources, ports: Ports) -> Step[Assembled]:
    """Return the messages in order. Those that the caller excluded keep their place, so that indexes stay true.

    Raises MessageError when the last message is to be continued and is not an assistant's.
    """
    history = sources.history
    if sources.settings.continue_final_message:
        _check_continued(history)
    dropped = [(index, message) for index, message in enumerate(history) if message.excluded]
    if not dropped:
        return Step(Assembled(history, sources.settings))
    excluded = tuple(Excluded(message.id, message.origin, MANUAL) for _, message in dropped)
    changes = [Change("dropped", index, message.origin, MANUAL, message.id) for index, message in dropped]
    return Step(Assembled(history, sources.settings, excluded), changes)


def _check_continued(history: tuple[Message, ...]) -> None:
    last = next((message for message in reversed(history) if not message.excluded), None)
    if last is None or last.role != "assistant":
        found = f"it is a {last.role} message" if last else "there is none"
        text = f"The last message must be an assistant's to be continued: {found}."
        raise MessageError(Fault("continueFinalMessage", text))
