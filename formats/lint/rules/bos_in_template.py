"""Rule `bos-in-template`: BOS in a template is lost in a chat without that turn, and stays when a request omits it."""

from __future__ import annotations

from collections.abc import Iterator

from formats.lint.rule import Remark, format_rule
from formats.lint.tokens import meaning
from formats.prompt import InstructFormat


@format_rule("bos-in-template", severity="warning")
def bos_in_template(fmt: InstructFormat) -> Iterator[Remark]:
    # One token may mean both ends, as in OLMo 2.
    for bos in set(meaning(fmt, "bos")) - set(meaning(fmt, "eos")):
        for path, frame in fmt.compiled.frames.items():
            at = frame.template.source.find(bos)
            if at >= 0:
                line = frame.template.source.count("\n", 0, at) + 1
                column = at - frame.template.source.rfind("\n", 0, at)
                yield Remark(
                    path, f"{bos!r} stands in a template: put it in `bos`, which prints it once.", line, column
                )
