"""Rule `generation-prompt`: the prompt ends unlike an assistant turn begins, so the model starts in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator

from formats.lint.rule import Remark, format_rule
from formats.prompt import InstructFormat


@format_rule("generation-prompt", severity="warning")
def generation_prompt(fmt: InstructFormat) -> Iterator[Remark]:
    around = fmt.compiled.frames["assistant"].around("assistant")
    # Reasoning may open in one of the two and not in the other.
    if around is None or fmt.chat_template is not None or fmt.reasoning is not None:
        return
    opening, suffix = around[0], fmt.prompt_suffix
    if opening.strip() and not suffix:
        yield Remark("promptSuffix", f"It is empty, but an assistant turn begins with {opening!r}.")
    elif suffix and not (suffix.startswith(opening.rstrip()) or opening.startswith(suffix.rstrip())):
        yield Remark("promptSuffix", f"It is {suffix!r}, but an assistant turn begins with {opening!r}.")
