"""The final check: what leaves when the rendered whole is larger than the sum of its parts."""

from __future__ import annotations

from dataclasses import replace

from chats.infill.types import Reason, Selection


def trimmed(selection: Selection, over: int) -> Selection:
    """Return `selection` less at least `over` tokens: the worst chosen leave first, pinned ones and the newest messages
    never: what is still too much is for the shift, which gives up the oldest of those.

    Fewer leave when there are not enough; compare `tokens` to see.
    """
    if over <= 0:
        return selection
    known = {decision.id: decision for decision in selection.decisions}
    leaving: set[str] = set()
    left = over
    for id_ in reversed(selection.chosen):
        decision = known[id_]
        if left <= 0:
            break
        if decision.reason not in (Reason.PINNED, Reason.RECENT):
            leaving.add(id_)
            left -= decision.tokens
    return replace(
        selection,
        chosen=tuple(id_ for id_ in selection.chosen if id_ not in leaving),
        decisions=tuple(
            decision._replace(reason=Reason.TOKEN_LIMIT) if decision.id in leaving else decision
            for decision in selection.decisions
        ),
        tokens=selection.tokens - sum(known[id_].tokens for id_ in leaving),
    )
