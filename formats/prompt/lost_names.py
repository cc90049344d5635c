"""Names that the format has no place for: one remark for all of them, since a group chat has one a message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from formats.prompt.findings import Finding
from formats.prompt.frames import Frame
from formats.prompt.message import Message

if TYPE_CHECKING:
    from formats.prompt.document import InstructFormat


def drops_names(fmt: InstructFormat, frames: Mapping[str, Frame]) -> bool:
    """Whether names are passed to templates none of which prints them; with `none` they are left out on purpose."""
    if fmt.names != "template" or fmt.chat_template is not None:
        return False
    return not any(frame.uses("name") for frame in frames.values())


def lost_names(messages: Sequence[Message]) -> Iterable[Finding]:
    """Yield the remark. A tool's name says which call it answers, and is not a speaker's."""
    named = [index for index, message in enumerate(messages) if message.name and message.role != "tool"]
    if named:
        many = "a message has one" if len(named) == 1 else f"{len(named):,} messages have one"
        message = f"The format prints no names, and {many}: set `names` to `prefix` to have them."
        yield Finding("info", "NAME_NOT_PLACED", message, f"messages[{named[0]}].name")
