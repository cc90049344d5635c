"""User input stage: what the user has just typed becomes the last message."""

from __future__ import annotations

from dataclasses import replace

from chats.pipeline.ports import Ports
from chats.pipeline.sources import Sources
from chats.pipeline.trace import Change, Step
from formats.prompt.message import Message

ORIGIN = "input"


def append_user_input(sources: Sources, ports: Ports) -> Step[Sources]:
    """Return `sources` with the input at the end of the history. Empty input adds nothing."""
    if not sources.user_input:
        return Step(sources)
    message = Message("user", sources.user_input, origin=ORIGIN)
    change = Change("added", len(sources.history), ORIGIN, "the user's input")
    return Step(replace(sources, history=(*sources.history, message), user_input=""), [change])
