"""Rule `stop-in-generation-prompt`: a back end that searches the whole text for stop strings stops before it begins."""

from __future__ import annotations

from collections.abc import Iterator

from formats.lint.rule import Remark, format_rule
from formats.prompt import InstructFormat


@format_rule("stop-in-generation-prompt", severity="warning")
def stop_in_generation_prompt(fmt: InstructFormat) -> Iterator[Remark]:
    for index, stop in enumerate(fmt.stop_strings):
        if stop in fmt.prompt_suffix:
            yield Remark(f"stopStrings[{index}]", f"{stop!r} is part of the format's own `promptSuffix`.")
