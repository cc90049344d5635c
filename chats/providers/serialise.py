"""The answer's messages: one user message around the prompt, or the array with the prefill as its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chats.providers.post_processing import post_process
from formats.prompt.message import Message


def text_messages(prompt: str) -> list[dict[str, Any]]:
    """Return the one message of text mode."""
    return [{"role": "user", "content": prompt}]


def chat_messages(
    messages: Sequence[Message],
    *,
    prefill: str,
    is_continued: bool,
    post_processing: str = "none",
    user: str = "",
    char: str = "",
) -> list[dict[str, Any]]:
    """Return the array in OpenAI's shape, only keys with a value, in the shape that `post_processing` asks for.

    The prefill is the last assistant message. When the last message is continued it is open already, and the prefill
    goes on with it.
    """
    array = [message.to_wire() for message in messages if not message.excluded]
    if post_processing == "none":
        return _ended(array, prefill, is_continued=is_continued)
    # what the reply goes on from is no turn to be merged into: it stays the last message, as it is
    is_open = is_continued and bool(array) and post_processing != "single"
    shaped = post_process(array[:-1] if is_open else array, post_processing, user=user, char=char)
    if is_open:
        shaped = [*shaped, {key: value for key, value in array[-1].items() if key != "name"}]
    return _ended(shaped, prefill, is_continued=is_open)


def _ended(array: list[dict[str, Any]], prefill: str, *, is_continued: bool) -> list[dict[str, Any]]:
    if not prefill:
        return array
    if is_continued and array and "tool_calls" not in array[-1]:
        return [*array[:-1], {**array[-1], "content": _continued(array[-1].get("content"), prefill)}]
    return [*array, {"role": "assistant", "content": prefill}]


def _continued(content: Any, prefill: str) -> Any:
    if isinstance(content, list):
        return [*content, {"type": "text", "text": prefill}]
    return (content or "") + prefill
