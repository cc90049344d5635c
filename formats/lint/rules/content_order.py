"""Rule `content-order`: two messages change places in the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from formats.lint.rule import Probe, Remark, rule


@rule("content-order", severity="warning")
def content_order(probe: Probe) -> Iterator[Remark]:
    # A policy that folds system text into a later user turn moves it on purpose, so only the others are looked at.
    turns = [message for message in probe.messages if message.role != "system" and message.plain]
    text = probe.text.casefold()
    places = [(text.find(message.plain.casefold()), message) for message in turns]
    found = [(place, message) for place, message in places if place >= 0]
    for (before, first), (after, second) in pairwise(found):
        if after < before:
            yield Remark(
                second.role,
                f"In the conversation “{probe.name}” the {second.role}'s content comes before the {first.role}'s"
                " that it follows.",
            )
            return
