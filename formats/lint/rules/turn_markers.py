"""Rule `turn-markers`: a marker that opens is not closed, as with `<|im_start|>` and `<|im_end|>`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from formats.lint.rule import Probe, Remark, rule
from formats.lint.tokens import meaning

_TAG: Final = re.compile(r"\[(?P<square>[A-Z][A-Z_]*)\]|<(?P<angle>[a-z][a-z_]*)>|<\|?(?P<word>[a-z_]+)\|?>")
_OPENERS: Final = (("start", "end"), ("begin", "end"), ("open", "close"))


@rule("turn-markers", severity="warning")
def turn_markers(probe: Probe) -> Iterator[Remark]:
    if probe.name != "closed" or probe.rendered is None:
        return
    markup = "".join(probe.markup())
    # BOS stands once, and is not closed by EOS.
    ignored = {*meaning(probe.format, "bos"), *meaning(probe.format, "eos"), "<s>"}
    for opener in dict.fromkeys(match[0] for match in _TAG.finditer(markup)):
        closer = "" if opener in ignored else _closer(opener, markup)
        if closer and markup.count(opener) != markup.count(closer):
            yield Remark(
                "",
                f"A finished conversation has {opener!r} {_times(markup.count(opener))} and {closer!r}"
                f" {_times(markup.count(closer))}: a turn is left open, or closed twice.",
            )


def _closer(opener: str, markup: str) -> str:
    """Return what closes a marker, where its name or the markup says so."""
    if opener.startswith("["):
        closer = f"[/{opener[1:]}"
        return closer if closer in markup else ""
    for start, end in _OPENERS:
        # a whole part of the name: `<|im_start|>` has one, `<restart>` has none
        if re.search(rf"(?<![a-z]){start}(?![a-z])", opener):
            return re.sub(rf"(?<![a-z]){start}(?![a-z])", end, opener)
    closer = f"</{opener[1:]}"
    return closer if closer in markup else ""


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
