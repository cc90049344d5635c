"""The answer's messages: one user message around the prompt, or the array with the prefill as its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from formats.prompt.message import Message


def text_messages(prompt: str) -> list[dict[str, Any]]:
    """Return the one message of text mode."""
    return [{"role": "user", "content": prompt}]


def chat_messages(messages: Sequence[Message], *, prefill: str, is_continued: bool) -> list[dict[str, Any]]:
    """Return the array in OpenAI's shape, only keys with a value.

    The prefill is the last assistant message. When the last message is continued it is open already, and the prefill
    goes on with it.
    """
    array = [message.to_wire() for message in messages if not message.excluded]
    if not prefill:
        return array
    if is_continued and array and "tool_calls" not in array[-1]:
        return [*array[:-1], {**array[-1], "content": _continued(array[-1].get("content"), prefill)}]
    return [*array, {"role": "assistant", "content": prefill}]


def _continued(content: Any, prefill: str) -> Any:
    if isinstance(content, list):
        return [*content, {"type": "text", "text": prefill}]
    return (content or "") + prefill
