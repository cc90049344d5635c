"""Rule `plain-turn-marker`: a turn begins with ordinary words, so anybody who types them opens a turn."""

from __future__ import annotations

from collections.abc import Iterator

from formats.lint.rule import Remark, format_rule
from formats.prompt import InstructFormat


@format_rule("plain-turn-marker", severity="info")
def plain_turn_marker(fmt: InstructFormat) -> Iterator[Remark]:
    if fmt.chat_template is not None:
        return
    for role in ("user", "assistant"):
        around = fmt.compiled.frames[role].around(role)
        opening = around[0].strip() if around is not None else ""
        if opening and not any(token in opening for token in fmt.token_texts):
            yield Remark(
                role,
                f"A turn begins with {opening!r}, which no special token protects: a message with that text forges a"
                f" turn. List it as a special token to have it found, escaped or refused.",
            )
