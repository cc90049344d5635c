"""Messages to turns: text, parts, reasoning, names and tool results, each piece labelled with its message."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from formats.prompt.errors import RenderRefused
from formats.prompt.fill import fill, join_segments
from formats.prompt.message import Message
from formats.prompt.segments import Segment, joined
from formats.prompt.turns import Turn, content, markup

if TYPE_CHECKING:
    from formats.prompt.plan import Plan


def read_turns(plan: Plan, messages: Sequence[Message]) -> list[Turn]:
    """One turn for each message that takes part; the last may be open."""
    kept = [(index, message) for index, message in enumerate(messages) if not message.excluded]
    last = kept[-1][0] if kept else None
    if plan.settings.continue_final_message and (not kept or kept[-1][1].role != "assistant"):
        raise RenderRefused("only an assistant's last message can be continued", _place(last))
    turns: list[Turn] = []
    for index, message in kept:
        is_open = plan.settings.continue_final_message and index == last
        turns.append(_turn(plan, message, index, is_open=is_open))
    return _results_together(plan, turns)


def _place(index: int | None) -> str:
    return "messages" if index is None else f"messages[{index}].role"


def _turn(plan: Plan, message: Message, index: int, *, is_open: bool) -> Turn:
    fmt = plan.compiled.format
    pieces = _pieces(plan, message, index)
    if not is_open and getattr(fmt.trim, message.role):
        pieces = trimmed(pieces)
    name = None if fmt.names == "none" or not message.name else plan.guard(message.name, f"messages[{index}].name")
    if fmt.names == "prefix" and name and message.role in ("user", "assistant"):
        pieces = [content(f"{name}: ", "name", index), *pieces]
    if message.reasoning:
        pieces = [*_reasoning(plan, message.reasoning, index, is_open=is_open), *pieces]
    turn = Turn(message.role, pieces, index, name=name, is_open=is_open, tool_calls=list(message.tool_calls))
    if message.role == "tool" and plan.compiled.has_tool_results:
        turn.pieces = _result(plan, turn, message.tool_call_id)
    return turn


def _pieces(plan: Plan, message: Message, index: int) -> list[Segment]:
    path = f"messages[{index}].content"
    if message.parts is None:
        return [content(plan.guard(message.body or "", path), message.origin, index)]
    pieces: list[Segment] = []
    for at, part in enumerate(message.parts):
        if part["type"] == "text":
            pieces.append(content(plan.guard(part["text"], f"{path}[{at}].text"), message.origin, index))
        else:
            pieces.extend(_media(plan, part["type"], f"{path}[{at}]", index))
    return pieces


def _media(plan: Plan, kind: str, path: str, index: int) -> list[Segment]:
    vision = plan.compiled.format.vision
    token = None
    if vision is not None:
        token = vision.video_token if "video" in kind else vision.image_token if "image" in kind else None
    if vision is None or not token:
        plan.note("warning", "PART_DROPPED", f"The format has no place for a part of type {kind!r}.", path)
        return []
    return [markup(vision.start + token + vision.end, "vision", index)]


def _reasoning(plan: Plan, text: str, index: int, *, is_open: bool) -> list[Segment]:
    spec = plan.compiled.format.reasoning
    if spec is None:
        plan.note(
            "info",
            "REASONING_DROPPED",
            "The format has no place for reasoning.",
            f"messages[{index}].reasoning_content",
        )
        return []
    if not spec.keep_in_history and not is_open:
        return []
    text = plan.guard(text, f"messages[{index}].reasoning_content")
    return [
        markup(spec.start, "reasoning.start", index),
        content(text, "reasoning", index),
        markup(spec.end, "reasoning.end", index),
    ]


def trimmed(pieces: list[Segment]) -> list[Segment]:
    """The pieces without white space at the outer ends, as `str.strip` on their text."""
    text = joined(pieces)
    left, right = len(text) - len(text.lstrip()), len(text.rstrip())
    out, at = [], 0
    for piece in pieces:
        start, end = max(left - at, 0), max(right - at, 0)
        out.append(piece._replace(text=piece.text[start:end]))
        at += len(piece.text)
    return out


def _result(plan: Plan, turn: Turn, call_id: str | None) -> list[Segment]:
    index = turn.index
    call = plan.guard(call_id or "", f"messages[{index}].tool_call_id")
    values = {"name": [content(turn.name or "", "name", index)], "toolCallId": [content(call, "toolCallId", index)]}
    return fill(plan.compiled.frame("toolResults.item"), {"content": turn.pieces, **values}, index=index)


def _results_together(plan: Plan, turns: list[Turn]) -> list[Turn]:
    """With `toolResults`, a run of tool messages is one turn: the items joined, the section around them."""
    if not plan.compiled.has_tool_results:
        return turns
    grouped: list[Turn] = []
    for role, group in groupby(turns, key=lambda turn: turn.role):
        run = list(group)
        grouped += [_results_turn(plan, run)] if role == "tool" else run
    return grouped


def _results_turn(plan: Plan, run: list[Turn]) -> Turn:
    first = run[0]
    together = join_segments([turn.pieces for turn in run], plan.compiled.tool_results.joiner, "toolResults.joiner")
    first.pieces = fill(plan.compiled.frame("toolResults.section"), {"toolResults": together}, index=first.index)
    return first
