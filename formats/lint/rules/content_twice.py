"""Rule `content-twice`: a template prints its content more than once, so the model reads it more than once."""

from __future__ import annotations

from collections.abc import Iterator

from formats.lint.rule import Probe, Remark, rule


@rule("content-twice", severity="warning")
def content_twice(probe: Probe) -> Iterator[Remark]:
    for message in probe.messages:
        if message.plain and probe.text.count(message.plain) > 1:
            yield Remark(message.role, f"The {message.role} template prints the content more than once.")
