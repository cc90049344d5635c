"""Rule `stop-missing`: nothing tells the back end where a reply ends."""

from __future__ import annotations

from collections.abc import Iterator

from formats.lint.rule import Probe, Remark, rule


@rule("stop-missing", severity="warning")
def stop_missing(probe: Probe) -> Iterator[Remark]:
    if probe.name != "many turns" or probe.rendered is None:
        return
    if not probe.format.stop_strings:
        yield Remark("stopStrings", "There is no stop string: name what closes an assistant turn.")
        return
    # What follows an assistant's content in the prompt is what the model writes after its reply.
    text, content = probe.text, probe.messages[-1].plain
    start = text.find(probe.messages[2].plain) + len(probe.messages[2].plain)
    following = text[start : text.find(probe.messages[3].plain)]
    if content and not any(stop in following for stop in probe.format.stop_strings):
        yield Remark("stopStrings", f"No stop string stands between a reply and the next turn, {following!r}.")
