"""Where the system text goes: its own turn, another role's turn, or nowhere (contract, `systemPolicy`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formats.prompt.errors import RenderRefused
from formats.prompt.facts import date_header, request_facts
from formats.prompt.fill import fill
from formats.prompt.reading import trimmed
from formats.prompt.segments import Segment
from formats.prompt.turns import Turn, content, markup

if TYPE_CHECKING:
    from formats.prompt.plan import Plan


def arrange_system(plan: Plan, turns: list[Turn]) -> tuple[list[Turn], Turn | None]:
    """The turns with every system turn in its place, and the one that is still to be folded into a user turn.

    Only a system message that opens the conversation is the first one; every other is a later one.
    """
    leading = turns[0] if turns and turns[0].role == "system" else None
    rest: list[Turn] = []
    for turn in turns if leading is None else turns[1:]:
        if turn.role != "system":
            rest.append(turn)
            continue
        kept, leading = _later(plan, turn, leading)
        rest.extend(kept)
    return _first(plan, leading or _opened(plan), rest)


def fold(plan: Plan, turns: list[Turn], system: Turn) -> list[Turn]:
    """The system text at the top of the first or last user turn; a conversation without one gets it."""
    pieces = _wrapped(plan, system)
    if not any(piece.text for piece in pieces) and not plan.compiled.format.system_policy.keep_empty:
        return turns
    users = [turn for turn in turns if turn.role == "user"]
    if not users:
        return [Turn("user", pieces, system.index), *turns]
    target = users[0 if plan.compiled.format.system_policy.first == "fold_first_user" else -1]
    separator = markup(plan.compiled.format.merge_separator, "mergeSeparator")
    target.pieces = [*pieces, separator, *target.pieces]
    return turns


def _later(plan: Plan, turn: Turn, leading: Turn | None) -> tuple[list[Turn], Turn | None]:
    policy = plan.compiled.format.system_policy.later
    if policy == "error":
        raise RenderRefused("the format takes no system message inside a conversation", f"messages[{turn.index}]")
    if policy == "drop":
        _note_dropped(plan, turn)
        return [], leading
    if policy == "merge_first":
        if leading is None:
            return [], turn
        leading.append(turn, plan.compiled.format.merge_separator)
        return [], leading
    return [_as_user(plan, turn) if policy == "as_user" else turn], leading


def _opened(plan: Plan) -> Turn | None:
    """The system turn that the format opens itself: with its default text, or because tools or skills need one."""
    fmt = plan.compiled.format
    if fmt.default_system is None and not plan.system_tools and not plan.system_skills and not date_header(plan):
        return None
    pieces = [content(fmt.default_system or "", "defaultSystem")]
    return Turn("system", trimmed(pieces) if fmt.trim.system else pieces)


def _first(plan: Plan, system: Turn | None, rest: list[Turn]) -> tuple[list[Turn], Turn | None]:
    policy = plan.compiled.format.system_policy.first
    if system is None:
        return rest, None
    if header := date_header(plan):
        system.pieces = [markup(header, "processors"), *system.pieces]
    if policy == "error":
        raise RenderRefused("the format takes no system message", f"messages[{system.index or 0}]")
    if policy == "drop":
        _note_dropped(plan, system)
        return rest, None
    if policy == "block":
        system.tools, system.skills = plan.system_tools, plan.system_skills
        return [system, *rest], None
    # There is no system frame to hold them, so they follow the system text.
    system.pieces = [*system.pieces, *plan.system_tools, *plan.system_skills]
    return ([_as_user(plan, system), *rest], None) if policy == "as_user" else (rest, system)


def _as_user(plan: Plan, turn: Turn) -> Turn:
    return Turn("user", _wrapped(plan, turn), turn.index)


def _wrapped(plan: Plan, turn: Turn) -> list[Segment]:
    frame = plan.compiled.frames.get("systemPolicy.wrap")
    if frame is None or not (turn.text or plan.compiled.format.system_policy.keep_empty):
        return turn.pieces
    return fill(frame, {"content": turn.pieces}, request_facts(plan), index=turn.index)


def _note_dropped(plan: Plan, turn: Turn) -> None:
    if turn.text:
        path = "defaultSystem" if turn.index is None else f"messages[{turn.index}]"
        plan.note("warning", "SYSTEM_DROPPED", "The format's system policy drops this text.", path)
