"""Rule `stop-in-prose`: a stop string that ordinary replies contain, e.g. `###`, which begins a Markdown heading."""

from __future__ import annotations

from collections.abc import Iterator

from formats.lint.rule import Remark, format_rule
from formats.prompt import InstructFormat


@format_rule("stop-in-prose", severity="warning")
def stop_in_prose(fmt: InstructFormat) -> Iterator[Remark]:
    for index, stop in enumerate(fmt.stop_strings):
        if not stop.strip(" \t\r\n#*-_=>`"):
            yield Remark(f"stopStrings[{index}]", f"{stop!r} cuts replies that merely use Markdown or a new line.")
