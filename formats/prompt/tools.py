"""Tools, tool calls and tool results as text, by the sections of the format (contract, decision 9)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from formats.prompt.fill import fill, join_segments
from formats.prompt.frames import Frame
from formats.prompt.segments import Segment
from formats.prompt.special_tokens import Guard, guarded_value
from formats.prompt.turns import Turn, content
from formats.prompt.typescript import typescript_text
from formats.prompt.yaml_text import yaml_text

if TYPE_CHECKING:
    from formats.prompt.compiled import CompiledFormat
    from formats.prompt.sections import Tools

_NOTHING: Mapping[str, Any] = {}


def catalogue(compiled: CompiledFormat, tools: Sequence[Any], guard: Guard) -> list[Segment]:
    """The tools, each in its item template, joined; without the section around them."""
    spec = compiled.tools
    entries = [list(tools)] if spec.as_list else list(tools)
    frame = compiled.frame("tools.item")
    items = []
    for at, entry in enumerate(entries):
        inside = {"tool": [content(guard(written(entry, spec), "tools"), "tools")]}
        items.append(fill(frame, inside, _definition(frame, entry, guard) | places(at, len(entries))))
    return join_segments(items, spec.joiner, "tools.joiner")


def tools_section(
    compiled: CompiledFormat, tools: Sequence[Any], guard: Guard, request: Mapping[str, Any] = _NOTHING
) -> list[Segment]:
    """The finished `tools` string; `request` are the facts that its section may ask for."""
    if not tools:
        return []
    return fill(compiled.frame("tools.section"), {"tools": catalogue(compiled, tools, guard)}, request)


def _definition(frame: Frame, tool: Any, guard: Guard) -> dict[str, Any]:
    """The tool as a value, for templates that write it out themselves."""
    if not any(map(frame.uses, ("definition", "function", "name", "description", "parameters"))):
        return {}
    safe = guarded_value(tool, guard, "tools")
    whole = safe if isinstance(safe, dict) else {}
    inner = whole.get("function")
    function = inner if isinstance(inner, dict) else whole
    own = {key: function.get(key) for key in ("name", "description", "parameters")}
    return {"definition": safe, "function": function or safe, **own}


def places(at: int, count: int) -> dict[str, Any]:
    """Where an item stands in its list."""
    return {"first": at == 0, "last": at == count - 1, "index": at}


def calls_section(compiled: CompiledFormat, turn: Turn, guard: Guard, *, before: int) -> list[Segment]:
    """The finished `toolCalls` string of one assistant turn; `before` is how many calls earlier turns had."""
    calls, index = turn.tool_calls, turn.index
    if not calls:
        return []
    frame = compiled.frame("toolCalls.item")
    items = []
    for at, call in enumerate(calls):
        others = _arguments(frame, call, index, guard) | places(at, len(calls)) | {"number": before + at}
        items.append(fill(frame, _call_values(call, index, guard) | {"content": turn.pieces}, others, index=index))
    joined = join_segments(items, compiled.tool_calls.joiner, "toolCalls.joiner")
    inside = {"toolCalls": joined, "content": turn.pieces}
    return fill(compiled.frame("toolCalls.section"), inside, index=index)


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


def _arguments(frame: Frame, call: Mapping[str, Any], index: int | None, guard: Guard) -> dict[str, Any]:
    """The arguments as a value, for templates that write them out one by one."""
    if not frame.uses("args"):
        return {}
    value = parsed(call.get("function", call).get("arguments", {}))
    return {"args": guarded_value(value, guard, f"messages[{index}].tool_calls")}


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


def written(value: Any, spec: Tools) -> str:
    """One tool, or the list of them, in the format's notation; text stays as it is."""
    if isinstance(value, str):
        return value
    if spec.format == "json":
        return dumps(value, indent=spec.indent)
    if spec.format == "json_indented":
        return dumps(value, indent=4 if spec.indent is None else spec.indent)
    if spec.format in ("json_compact", "json_minified"):
        return dumps(value, compact=True)
    return yaml_text(value) if spec.format == "yaml" else typescript_text(value)
