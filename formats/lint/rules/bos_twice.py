"""Rule `bos-twice`: the prompt has a second BOS, which models were not trained on."""

from __future__ import annotations

from collections.abc import Iterator

from formats.lint.rule import Probe, Remark, rule
from formats.lint.tokens import meaning


@rule("bos-twice", severity="error")
def bos_twice(probe: Probe) -> Iterator[Remark]:
    for bos in meaning(probe.format, "bos"):
        if probe.text.startswith(bos * 2):
            yield Remark(
                "bos",
                f"The prompt starts with {bos!r} twice: it is in a template and in `bos`. Leave it in `bos` alone.",
            )
        # Llama 2 opens every pair with BOS, so a user template may hold it; a system template may not.
        elif sum(bos in text for text in probe.markup("system")) > 1:
            yield Remark("system", f"Every system turn prints {bos!r}: move it from the template to `bos`.")
