"""Rule `prefix-stability`: the prompt of a longer chat does not begin with that of a shorter one.

A back end keeps what it has computed for the part that two prompts share. A prompt that changes further up is computed
again from there at every turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.handlebars import TemplateError
from formats.lint.rule import Probe, Remark, rule
from formats.prompt import PromptError, render


@rule("prefix-stability", severity="info")
def prefix_stability(probe: Probe) -> Iterator[Remark]:
    if probe.name != "many turns" or probe.rendered is None:
        return
    try:
        # system, user, assistant, user: what was sent before the last reply came
        earlier = render(probe.format, probe.messages[:4]).text
    except (PromptError, TemplateError):
        return
    if not probe.text.startswith(earlier):
        place = next(
            at for at, (one, other) in enumerate(zip(earlier, probe.text + "\0", strict=False)) if one != other
        )
        shown = earlier[place : place + 40]
        yield Remark(
            "",
            f"The next turn's prompt differs from this one's at character {place}, {shown!r}: no prefix cache"
            " reaches further.",
        )
