"""What a chat template did not print of what it was given: texts, tools, calls, skills, pictures, thoughts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from formats.prompt.findings import Finding
from formats.prompt.segments import Segment

if TYPE_CHECKING:
    from formats.prompt.jinja_format import JinjaRender

_LOST = "The chat template has no place for {}: they are not in the prompt."


def losses(rendered: JinjaRender) -> Iterator[Finding]:
    """A finding for each thing that is not in the prompt."""
    yield from _lost_texts(rendered)
    yield from _lost_parts(rendered)
    for code, what, names in (
        ("TOOLS_NOT_PLACED", "tools", [_name(tool) for tool in rendered.plan.tools]),
        ("SKILLS_NOT_PLACED", "skills", [_name(skill) for skill in rendered.plan.settings.skills]),
    ):
        if any(name and name not in rendered.text for name in names):
            yield Finding("warning", code, _LOST.format(what), what)
    calls = [_name(call) for turn in rendered.plan.turns for call in turn.tool_calls]
    if any(name and name not in rendered.text for name in calls):
        yield Finding("warning", "TOOL_CALLS_NOT_PLACED", _LOST.format("tool calls"), "tool calls")


def _lost_texts(rendered: JinjaRender) -> Iterator[Finding]:
    missing = [piece for piece in rendered.plan.texts(rendered.habits) if not _stands_in(piece, rendered.text)]
    if not missing:
        return
    if rendered.is_unknown:
        message = "The chat template changes its texts, so it can not be said where they stand in the prompt."
        yield Finding("info", "SEGMENTS_UNKNOWN", message, "chatTemplate")
        return
    found = {(piece.message_index, piece.source) for piece in rendered.segments if piece.kind == "content"}
    for piece in missing:
        if (piece.message_index, piece.source) in found:
            continue  # a part of it stands there, as of a text that held thoughts
        if piece.source == "reasoning":
            path = f"messages[{piece.message_index}].reasoning_content"
            yield Finding("info", "REASONING_DROPPED", "The chat template leaves out this reasoning.", path)
        elif piece.message_index is not None and piece.source not in ("tools", "toolCalls"):
            path = f"messages[{piece.message_index}]"
            yield Finding("error", "CONTENT_LOST", "The chat template does not print the content.", path)


def _stands_in(piece: Segment, text: str) -> bool:
    core = piece.text.strip()
    return core in text or json.dumps(core, ensure_ascii=False)[1:-1] in text


def _lost_parts(rendered: JinjaRender) -> Iterator[Finding]:
    """Pictures and the like: each is left out once, and the prompt must be another."""
    plan, habits = rendered.plan, rendered.habits
    if not plan.media:
        return
    arrays = plan.wire(habits, lambda piece: piece.text)
    whole = rendered.outcome_of(arrays)
    for number, one in enumerate(plan.media):
        left = [_without(message, plan.parts[number]) for message in arrays]
        if not habits.takes_media or rendered.outcome_of(left) == whole:
            message = f"The chat template has no place for a part of type {one['type']!r}."
            yield Finding("warning", "PART_DROPPED", message, one["path"])


def _without(message: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(message["content"], list):
        return message
    return message | {"content": [one for one in message["content"] if one is not part]}


def _name(value: Any) -> str:
    """The name of a tool, a call or a skill."""
    inner = value.get("function", value) if isinstance(value, Mapping) else value
    name = inner.get("name") if isinstance(inner, Mapping) else getattr(inner, "name", None)
    return name if isinstance(name, str) else ""
