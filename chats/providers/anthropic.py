"""The array as Anthropic's Messages API takes it: system texts apart, turns that alternate, tools as blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from chats.providers.calls import arguments_object, function_of, with_call_ids

JOIN: Final = "\n\n"
Block = dict[str, Any]
Turn = tuple[str, list[Block]]


def anthropic_messages(messages: Sequence[dict[str, Any]]) -> tuple[list[Block], list[dict[str, Any]]]:
    """Return the system blocks and the turns.

    Leading system messages become the system; a later one is said, marked, in the user's turn around it. What the
    assistant says last stays last: it is a prefill.
    """
    leading = next((at for at, message in enumerate(messages) if message["role"] != "system"), len(messages))
    system = [block for message in messages[:leading] for block in _blocks(message)]
    turns: list[Turn] = []
    for role, blocks in map(_turn, with_call_ids(messages[leading:])):
        if turns and turns[-1][0] == role:
            turns[-1][1].extend(blocks)
        else:
            turns.append((role, blocks))
    return system, [{"role": role, "content": _content(blocks)} for role, blocks in turns]


def anthropic_tools(tools: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return OpenAI's tool definitions with Anthropic's names; tools of another shape stay as they are."""
    return [_tool(tool["function"]) if isinstance(tool.get("function"), dict) else tool for tool in tools]


def _tool(function: dict[str, Any]) -> dict[str, Any]:
    described = {"description": function["description"]} if function.get("description") else {}
    schema = function.get("parameters") or {"type": "object", "properties": {}}
    return {"name": function.get("name", ""), **described, "input_schema": schema}


def _turn(message: dict[str, Any]) -> Turn:
    role = message["role"]
    if role == "system":
        return "user", [_text(f"<system-reminder>\n{_plain(message)}\n</system-reminder>")]
    if role == "tool":
        result = {"type": "tool_result", "tool_use_id": message.get("tool_call_id", ""), "content": _plain(message)}
        return "user", [result]
    return role, [*_blocks(message), *map(_call, message.get("tool_calls", []))]


def _blocks(message: dict[str, Any]) -> list[Block]:
    content = message.get("content")
    if isinstance(content, list):
        return list(content)
    return [_text(content)] if content else []


def _call(call: dict[str, Any]) -> Block:
    function = function_of(call)
    arguments = function.get("arguments")
    given = arguments_object(arguments)
    # a text that is no object is kept, under a name, since `input` must be one
    made = {"arguments": arguments} if given is None else given
    return {"type": "tool_use", "id": call.get("id", ""), "name": function.get("name", ""), "input": made}


def _plain(message: dict[str, Any]) -> str:
    return "".join(block.get("text", "") for block in _blocks(message))


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _content(blocks: list[Block]) -> str | list[Block]:
    """Return plain text as a string, its pieces a blank line apart; blocks where there is more than text."""
    if all(block.get("type") == "text" for block in blocks):
        return JOIN.join(block["text"] for block in blocks)
    return blocks
