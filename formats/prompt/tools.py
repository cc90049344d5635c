"""Tools, tool calls and tool results as text, by the sections of the format (contract, decision 9)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from formats.prompt.errors import RenderRefused
from formats.prompt.fill import fill, join_segments
from formats.prompt.segments import Segment
from formats.prompt.special_tokens import Guard
from formats.prompt.turns import content

if TYPE_CHECKING:
    from formats.prompt.compiled import CompiledFormat
    from formats.prompt.sections import Tools


def catalogue(compiled: CompiledFormat, tools: Sequence[Any], guard: Guard) -> list[Segment]:
    """The tools, each in its item template, joined; without the section around them."""
    spec = compiled.tools
    texts = [_written(list(tools), spec)] if spec.as_list else [_written(tool, spec) for tool in tools]
    frame = compiled.frame("tools.item")
    items = [fill(frame, {"tool": [content(guard(text, "tools"), "tools")]}) for text in texts]
    return join_segments(items, spec.joiner, "tools.joiner")


def tools_section(compiled: CompiledFormat, tools: Sequence[Any], guard: Guard) -> list[Segment]:
    """The finished `tools` string."""
    return fill(compiled.frame("tools.section"), {"tools": catalogue(compiled, tools, guard)}) if tools else []


def calls_section(
    compiled: CompiledFormat, calls: Sequence[Mapping[str, Any]], index: int | None, guard: Guard
) -> list[Segment]:
    """The finished `toolCalls` string of one assistant turn."""
    if not calls:
        return []
    frame = compiled.frame("toolCalls.item")
    items = [fill(frame, _call_values(call, index, guard), index=index) for call in calls]
    joined = join_segments(items, compiled.tool_calls.joiner, "toolCalls.joiner")
    return fill(compiled.frame("toolCalls.section"), {"toolCalls": joined}, index=index)


def _call_values(call: Mapping[str, Any], index: int | None, guard: Guard) -> dict[str, list[Segment]]:
    function = call.get("function", call)
    arguments = function.get("arguments", "")
    # A string is OpenAI's spelling of the object: it is printed as it came, and parsed only where the whole call is
    # printed, else it would be encoded twice.
    text = arguments if isinstance(arguments, str) else dumps(arguments)
    whole = {"name": function.get("name", ""), "arguments": parsed(arguments)}
    values = {"id": call.get("id") or "", "name": whole["name"], "arguments": text or "{}", "toolCall": dumps(whole)}
    path = f"messages[{index}].tool_calls"
    return {key: [content(guard(value, path), "toolCalls", index)] for key, value in values.items()}


def parsed(arguments: Any) -> Any:
    """The arguments as a JSON value; text that is no JSON stays text."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments) if arguments.strip() else {}
    except ValueError:
        return arguments


def dumps(value: Any, *, indent: int | None = None, compact: bool = False) -> str:
    """JSON as chat templates write it: keys in their order, no escapes for other scripts."""
    separators = (",", ":") if compact else None
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, sort_keys=compact)


def _written(value: Any, spec: Tools) -> str:
    if isinstance(value, str):
        return value
    if spec.format == "json":
        return dumps(value, indent=spec.indent)
    if spec.format == "json_indented":
        return dumps(value, indent=4 if spec.indent is None else spec.indent)
    if spec.format in ("json_compact", "json_minified"):
        return dumps(value, compact=True)
    raise RenderRefused(f"writing tools as {spec.format} is not supported yet", "tools.format")
