"""Tool calls as the bodies of chat providers have them: their arguments as text or object, results with their ids."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any


def function_of(call: dict[str, Any]) -> dict[str, Any]:
    """Return the part with `name` and `arguments`: the call itself where it is a bare one, as templates use them."""
    function: dict[str, Any] = call.get("function", call)
    return function


def arguments_object(arguments: Any) -> dict[str, Any] | None:
    """Return arguments, an object or its JSON text, as an object; None when the text is no JSON object."""
    if not isinstance(arguments, str):
        return dict(arguments or {})
    try:
        read = json.loads(arguments or "{}")
    except (ValueError, RecursionError):  # the latter: brackets nested by the thousand
        return None
    return read if isinstance(read, dict) else None


def openai_messages(messages: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the array with its calls as OpenAI's API takes them; nothing is changed in place."""
    return [
        {**message, "tool_calls": [_openai_call(call) for call in message["tool_calls"]]}
        if message.get("tool_calls")
        else message
        for message in messages
    ]


def _openai_call(call: dict[str, Any]) -> dict[str, Any]:
    """Return `{id, type, function}`: arguments as JSON text, and a bare call's name and arguments in `function`."""
    function = function_of(call)
    arguments = function.get("arguments", "{}")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    outer = call if "function" in call else {key: call[key] for key in call if key not in ("name", "arguments")}
    bare = function if "function" in call else {"name": function.get("name", "")}
    return {"type": "function", **outer, "function": {**bare, "arguments": text}}


def with_call_ids(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the array with an id for each result that has none and stands behind exactly one open call."""
    open_ids: list[str] = []
    made = []
    for message in messages:
        open_ids += [call.get("id", "") for call in message.get("tool_calls", ())]
        if message["role"] != "tool":
            made.append(message)
            continue
        only = open_ids[0] if len(open_ids) == 1 else ""
        answered = message.get("tool_call_id") or only
        made.append({**message, "tool_call_id": answered} if answered else message)
        if answered in open_ids:
            open_ids.remove(answered)
    return made
