"""Messages to turns: text, parts, reasoning, names and tool results, each piece labelled with its message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from formats.prompt.errors import RenderRefused
from formats.prompt.fill import fill, join_segments
from formats.prompt.media import in_order, media_entry, media_token
from formats.prompt.message import Message
from formats.prompt.reasoning import take_reasoning
from formats.prompt.segments import Segment, joined
from formats.prompt.tools import places
from formats.prompt.turns import Turn, content, markup

if TYPE_CHECKING:
    from formats.prompt.plan import Plan


def read_turns(plan: Plan, messages: Sequence[Message]) -> list[Turn]:
    """One turn for each message that takes part; the last may be open."""
    kept = [(index, message) for index, message in enumerate(messages) if not message.excluded]
    last = kept[-1][0] if kept else None
    current = max((index for index, message in kept if message.role == "user"), default=-1)
    if plan.settings.continue_final_message and (not kept or kept[-1][1].role != "assistant"):
        raise RenderRefused("only an assistant's last message can be continued", _place(last))
    turns: list[Turn] = []
    for index, message in kept:
        is_open = plan.settings.continue_final_message and index == last
        turn = _turn(plan, message, index, is_open=is_open)
        _think(plan, turn, message.reasoning, is_current=index > current)
        turns.append(turn)
    return _results_together(plan, turns, dict(kept))


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
    return Turn(message.role, pieces, index, name=name, is_open=is_open, tool_calls=list(message.tool_calls))


def _think(plan: Plan, turn: Turn, given: str | None, *, is_current: bool) -> None:
    """The reasoning of an assistant's turn, given beside its content or found in it: kept where the format keeps it."""
    spec = plan.compiled.format.reasoning
    path = f"messages[{turn.index}].reasoning_content"
    if spec is None:
        if given:
            plan.note("info", "REASONING_DROPPED", "The format has no place for reasoning.", path)
        return
    if turn.role != "assistant":
        return
    text = plan.guard(given, path) if given else take_reasoning(turn, spec)
    if not text or not (spec.keep_in_history or turn.is_open or (spec.keep_in_current and is_current)):
        return
    turn.reasoning = [content(text, "reasoning", turn.index)]
    if not plan.compiled.places_reasoning:
        start, end = (
            markup(mark, f"reasoning.{where}", turn.index) for mark, where in ((spec.start, "start"), (spec.end, "end"))
        )
        turn.pieces = [start, *turn.reasoning, end, *turn.pieces]


def _pieces(plan: Plan, message: Message, index: int) -> list[Segment]:
    path = f"messages[{index}].content"
    if message.parts is None:
        return [content(plan.guard(message.body or "", path), message.origin, index)]
    pieces: list[Segment] = []
    joiner = markup(plan.compiled.format.part_joiner, "partJoiner", index)
    for at, part in in_order(message.parts, plan.compiled.format.vision):
        if part["type"] == "text":
            beside = [joiner] if pieces and pieces[-1].kind == "content" else []
            pieces += [*beside, content(plan.guard(part["text"], f"{path}[{at}].text"), message.origin, index)]
        else:
            pieces += _media(plan, part, f"{path}[{at}]", index)
    return pieces


def _media(plan: Plan, part: Mapping[str, Any], path: str, index: int) -> list[Segment]:
    vision, kind = plan.compiled.format.vision, str(part["type"])
    token = media_token(vision, kind)
    if vision is None or not token:
        plan.note("warning", "PART_DROPPED", f"The format has no place for a part of type {kind!r}.", path)
        return []
    plan.media.append(media_entry(part, vision, path))
    number = vision.number.replace("{n}", str(len(plan.media)))
    return [markup(number + vision.start + token + vision.end, "vision", index)]


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


def call_names(messages: Iterable[tuple[int, Message]]) -> dict[int, str]:
    """The name of the tool that each tool message answers: its own, that of the call with its id, or by position."""
    names: dict[int, str] = {}
    calls: list[tuple[str, str]] = []
    answered = 0
    for index, message in messages:
        if message.tool_calls:
            calls = [(call.get("id") or "", call.get("function", call).get("name", "")) for call in message.tool_calls]
            answered = 0
        elif message.role == "tool":
            by_id = dict(calls).get(message.tool_call_id or "")
            by_place = calls[min(answered, len(calls) - 1)][1] if calls else ""
            names[index] = message.name or by_id or by_place
            answered += 1
    return names


def _result(plan: Plan, turn: Turn, message: Message, name: str, place: Mapping[str, Any]) -> list[Segment]:
    index, call_id = turn.index, message.tool_call_id or ""
    path = f"messages[{index}]"
    texts = {"name": turn.name or "", "toolCallId": plan.guard(call_id, f"{path}.tool_call_id"),
             "callName": plan.guard(name, f"{path}.name")}  # fmt: skip
    values = {key: [content(text, key, index)] for key, text in texts.items()}
    return fill(plan.compiled.frame("toolResults.item"), {"content": turn.pieces, **values}, place, index=index)


def _results_together(plan: Plan, turns: list[Turn], messages: Mapping[int, Message]) -> list[Turn]:
    """With `toolResults`, a run of tool messages is one turn: the items joined, the section around them."""
    if not plan.compiled.has_tool_results:
        return turns
    names = call_names(messages.items())
    grouped: list[Turn] = []
    before = 0
    for role, group in groupby(turns, key=lambda turn: turn.role):
        run = list(group)
        if role == "tool":
            for at, turn in enumerate(run):
                index = turn.index or 0
                place = places(at, len(run)) | {"number": before + at}
                turn.pieces = _result(plan, turn, messages[index], names.get(index, ""), place)
            before += len(run)
            run = [_results_turn(plan, run)]
        grouped += run
    return grouped


def _results_turn(plan: Plan, run: list[Turn]) -> Turn:
    first = run[0]
    together = join_segments([turn.pieces for turn in run], plan.compiled.tool_results.joiner, "toolResults.joiner")
    first.pieces = fill(plan.compiled.frame("toolResults.section"), {"toolResults": together}, index=first.index)
    return first
