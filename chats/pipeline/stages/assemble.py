"""Assemble stage, by blocks: which messages the prompt has, in which order."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from chats.pipeline.assembly import Assembly
from chats.pipeline.pairs import partners_of
from chats.pipeline.ports import Ports
from chats.pipeline.sources import Assembled, Excluded, Sources
from chats.pipeline.trace import Change, Step
from formats.prompt.errors import Fault, MessageError
from formats.prompt.message import Message
from formats.prompt.options import RenderSettings

MANUAL: Final = "manual"
REGENERATE: Final = "regenerate"
IMPERSONATE: Final = "impersonate"
SILENT: Final = (IMPERSONATE, "quiet")
"""Generation types whose reply is not the character's: the generation prompt does not say her name."""

TOOL_PAIR: Final = "tool-pair"


def assemble_blocks(sources: Sources, ports: Ports) -> Step[Assembled]:
    """Return the messages in order. Those that the caller excluded keep their place, so that indexes stay true.

    Raises MessageError when the last message is to be continued and is not an assistant's.
    """
    history, reasons = taking_part(sources)
    excluded = tuple(Excluded(history[index].id, history[index].origin, reason) for index, reason in reasons.items())
    changes = [
        Change("dropped", index, history[index].origin, reason, history[index].id) for index, reason in reasons.items()
    ]
    settings = _settings(sources)
    is_impersonated = sources.generation_type == IMPERSONATE
    if not sources.has_blocks and not (is_impersonated and not sources.is_text):
        return Step(Assembled(history, settings, excluded, is_impersonated=is_impersonated), changes)
    assembly = Assembly(_with_due_blocks(sources, history, ports), history)
    assembled = Assembled(
        assembly.messages,
        settings,
        (*excluded, *assembly.excluded),
        assembly.given,
        sources.cast.user,
        sources.cast.speaker,
        is_impersonated,
    )
    return Step(assembled, [*changes, *assembly.changes])


def _settings(sources: Sources) -> RenderSettings:
    """Return the settings with who speaks next; nobody where the reply is not a character's."""
    if sources.generation_type in SILENT:
        return replace(sources.settings, speaker="")
    return replace(sources.settings, speaker=sources.cast.speaker) if sources.cast.speaker else sources.settings


def _with_due_blocks(sources: Sources, history: tuple[Message, ...], ports: Ports) -> Sources:
    """Return `sources` without the blocks for which the chat is too short yet."""
    if not any(block.min_tokens for block in sources.blocks):
        return sources
    said = sum(ports.counter.count(message.plain) for message in history if not message.excluded)
    blocks = tuple(
        replace(block, content="") if said < block.min_tokens and block.content else block for block in sources.blocks
    )
    return replace(sources, blocks=blocks)


def taking_part(sources: Sources) -> tuple[tuple[Message, ...], dict[int, str]]:
    """Return the history with what stays out marked as excluded, and index → reason for those.

    Raises MessageError when the last message is to be continued and is not an assistant's.
    """
    history, reasons = _marked(sources)
    if sources.settings.continue_final_message:
        _check_continued(history)
    return history, reasons


def _marked(sources: Sources) -> tuple[tuple[Message, ...], dict[int, str]]:
    history = sources.history
    reasons = {index: MANUAL for index, message in enumerate(history) if message.excluded}
    if sources.generation_type == REGENERATE and (last := _reply(history)) is not None:
        reasons[last] = REGENERATE
    if not reasons:
        return history, reasons
    for index in partners_of(history, reasons):
        reasons[index] = TOOL_PAIR
    marked = tuple(
        message if message.excluded or index not in reasons else message.replace(excluded=True)
        for index, message in enumerate(history)
    )
    return marked, dict(sorted(reasons.items()))


def _reply(history: tuple[Message, ...]) -> int | None:
    """Return the place of the reply that is made again: the last message, when it is an assistant's."""
    last = next((at for at in range(len(history) - 1, -1, -1) if not history[at].excluded), None)
    return last if last is not None and history[last].role == "assistant" else None


def _check_continued(history: tuple[Message, ...]) -> None:
    last = next((message for message in reversed(history) if not message.excluded), None)
    if last is None or last.role != "assistant":
        found = f"it is a {last.role} message" if last else "there is none"
        text = f"The last message must be an assistant's to be continued: {found}."
        raise MessageError(Fault("continueFinalMessage", text))
