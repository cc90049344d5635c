"""Post-processing of the array, for chat back ends that are strict about its shape. See docs/providers.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

JOIN: Final = "\n\n"
PLACEHOLDER: Final = "Let's get started."
TOOLS_SUFFIX: Final = "_tools"

WireMessage = dict[str, Any]


def post_process(messages: Sequence[WireMessage], mode: str, *, user: str = "", char: str = "") -> list[WireMessage]:
    """Return the array in the shape of `mode`; nothing is changed in place.

    `merge` joins equal neighbours, `semi` leaves one system message at the top, `strict` begins with a user turn too,
    `single` is one user message. With `_tools` tool calls and results stay what they are; else they become text.
    """
    if mode == "none":
        return list(messages)
    base = mode.removesuffix(TOOLS_SUFFIX)
    keeps_tools = mode.endswith(TOOLS_SUFFIX)
    names = {"user": user, "assistant": char} if base == "single" else {}
    shaped = [_shaped(message, names, keeps_tools=keeps_tools, is_single=base == "single") for message in messages]
    joined = _squashed(shaped)
    if base in ("semi", "strict"):
        joined = _squashed([_later_system(message, at) for at, message in enumerate(joined)])
    if base == "strict":
        joined = _begun(joined)
    return joined or [_placeholder()]


def _shaped(message: WireMessage, names: dict[str, str], *, keeps_tools: bool, is_single: bool) -> WireMessage:
    """Return one message with its name in its text, tools as text unless they are kept, and its role."""
    made = dict(message)
    role = made["role"]
    if role == "tool" and keeps_tools:
        return made
    name = made.pop("name", None)
    if role != "system" and (prefix := name or names.get("user" if role == "tool" else role)):
        made["content"] = _prefixed(made.get("content"), f"{prefix}: ")
    if not keeps_tools:
        if calls := made.pop("tool_calls", None):
            made["content"] = _added(made.get("content"), "\n".join(map(_call, calls)))
        made.pop("tool_call_id", None)
        made["role"] = "user" if role == "tool" else role
    if is_single:
        made["role"] = "user"
    return made


def _prefixed(content: Any, prefix: str) -> Any:
    """Return content with the name in front, once; a message without text keeps none."""
    if isinstance(content, list):
        at = next((at for at, part in enumerate(content) if part.get("type") == "text"), None)
        if at is None:
            return [{"type": "text", "text": prefix.rstrip()}, *content]
        text = content[at]["text"]
        first = {**content[at], "text": text if text.startswith(prefix) else prefix + text}
        return [*content[:at], first, *content[at + 1 :]]
    if not content or content.startswith(prefix):
        return content
    return prefix + content


def _call(call: dict[str, Any]) -> str:
    function = call.get("function", call)
    arguments = function.get("arguments", "")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return f"{function.get('name', '')}({text})"


def _squashed(messages: Iterable[WireMessage]) -> list[WireMessage]:
    """Return the messages with equal neighbours joined: never tools, nor what calls them. Empty ones join nothing."""
    out: list[WireMessage] = []
    for message in messages:
        if out and _may_join(out[-1], message):
            if message.get("content"):
                out[-1] = {**out[-1], "content": _added(out[-1].get("content"), message["content"])}
        else:
            out.append(message)
    return out


def _may_join(first: WireMessage, second: WireMessage) -> bool:
    if first["role"] != second["role"] or first["role"] == "tool":
        return False
    return not (first.get("tool_calls") or second.get("tool_calls"))


def _added(first: Any, second: Any) -> Any:
    """Return two contents as one; where one has parts, both are parts."""
    if not first or not second:
        return first or second
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}{JOIN}{second}"
    return [*_parts(first), *_parts(second)]


def _parts(content: Any) -> list[dict[str, Any]]:
    return list(content) if isinstance(content, list) else [{"type": "text", "text": content}]


def _later_system(message: WireMessage, at: int) -> WireMessage:
    return {**message, "role": "user"} if at and message["role"] == "system" else message


def _begun(messages: list[WireMessage]) -> list[WireMessage]:
    """Return the array with a user turn at its beginning, behind the system message."""
    if not messages:
        return messages
    first = messages[0]["role"]
    if first == "system" and (len(messages) == 1 or messages[1]["role"] != "user"):
        return [messages[0], _placeholder(), *messages[1:]]
    return messages if first in ("system", "user") else [_placeholder(), *messages]


def _placeholder() -> WireMessage:
    return {"role": "user", "content": PLACEHOLDER}
