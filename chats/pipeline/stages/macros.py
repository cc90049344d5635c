"""Macro stage. No macro is known to this server yet, so every one stays as typed, and a finding says so."""

from __future__ import annotations

from chats.pipeline.ports import Ports
from chats.pipeline.sources import Sources
from chats.pipeline.trace import Step
from formats.prompt.findings import Finding

OPEN = "{{"
CODE = "MACRO_NOT_EXPANDED"


def leave_macros(sources: Sources, ports: Ports) -> Step[Sources]:
    """Return `sources` unchanged, with one finding at the first text that holds a macro. Off: no finding either."""
    if not sources.macros:
        return Step(sources)
    for index, message in enumerate(sources.history):
        if OPEN in (message.text or message.plain):
            text = "Macros are not expanded on this server yet: `{{…}}` stays as typed. Send `macros: false` to say so."
            return Step(sources, findings=[Finding("info", CODE, text, f"messages[{index}].content")])
    return Step(sources)
