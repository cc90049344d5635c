"""Rule `content-lost`: a template leaves out the content of its messages."""

from __future__ import annotations

from collections.abc import Iterator

from formats.lint.rule import Probe, Remark, rule

_CONTENT = "{{{content}}}"


@rule("content-lost", severity="error")
def content_lost(probe: Probe) -> Iterator[Remark]:
    if probe.rendered is None:
        return
    policy = probe.format.system_policy
    for message in probe.messages:
        dropped = message.role == "system" and "drop" in (policy.first, policy.later)
        if not dropped and message.plain.casefold() not in probe.text.casefold():
            yield Remark(message.role, f"The {message.role} template does not print its content: add {_CONTENT}.")
