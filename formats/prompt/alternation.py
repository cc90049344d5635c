"""Strict alternation of user and assistant, for model families that were trained on nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formats.prompt.errors import RenderRefused
from formats.prompt.turns import Turn, content

if TYPE_CHECKING:
    from formats.prompt.plan import Plan

_ALTERNATING = ("user", "assistant")


def alternate(plan: Plan, turns: list[Turn]) -> list[Turn]:
    """The turns as `alternation` wants them. System and tool turns are never merged, and part their neighbours."""
    mode = plan.compiled.format.alternation
    if mode == "none":
        return turns
    own = plan.settings.filler_user
    filler = plan.compiled.format.filler_user if own is None else own
    arranged: list[Turn] = []
    for turn in turns:
        previous = arranged[-1] if arranged else None
        same = previous is not None and previous.role == turn.role and turn.role in _ALTERNATING
        opens = turn.role == "assistant" and (previous is None or previous.role == "system")
        if mode == "error" and (same or opens):
            what = f"two {turn.role} turns in a row" if same else "an assistant turn before the first user turn"
            raise RenderRefused(f"the format takes no {what}", f"messages[{turn.index or 0}]")
        if mode == "filler" and turn.role == "assistant" and (same or opens):
            arranged += [Turn("user", [content(filler, "fillerUser")]), turn]
        elif same and previous is not None:
            previous.append(turn, plan.compiled.format.merge_separator)
        else:
            arranged.append(turn)
    return arranged
