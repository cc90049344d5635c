"""Findings about the body that a chat provider would be sent: what it does not carry, and what the API refuses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from chats.providers.calls import arguments_object, function_of, with_call_ids
from chats.providers.post_processing import TOOLS_SUFFIX
from formats.prompt.findings import Finding

TOOLS_NOT_SENT: Final = Finding(
    "info",
    "TOOLS_NOT_SENT",
    "The post-processing makes calls and results plain text, so tools are not sent. A mode with `_tools` keeps them.",
    "tools",
)
NO_USER_MESSAGE: Final = Finding(
    "warning",
    "NO_USER_MESSAGE",
    "There are only system messages, so `messages` is empty, and Anthropic's API refuses that.",
    "messages",
)


def keeps_tools(post_processing: str) -> bool:
    """Whether calls and results are still calls and results after `post_processing`."""
    return post_processing == "none" or post_processing.endswith(TOOLS_SUFFIX)


def tools_findings(tools: Sequence[dict[str, Any]], post_processing: str) -> list[Finding]:
    """Return what is to be said of tools that no message can call any more."""
    return [TOOLS_NOT_SENT] if tools and not keeps_tools(post_processing) else []


def anthropic_findings(messages: Sequence[dict[str, Any]]) -> list[Finding]:
    """Return what Anthropic's body leaves out or can not say; paths count `messages`."""
    found = [*_names(messages), *_reasoning(messages), *_results(messages), *_calls(messages)]
    is_empty = all(message["role"] == "system" for message in messages)
    return [*found, NO_USER_MESSAGE] if is_empty else found


def _names(messages: Sequence[dict[str, Any]]) -> Iterator[Finding]:
    """One for all. A result's name is no loss: its call has it."""
    at = next((at for at, one in enumerate(messages) if one.get("name") and one["role"] != "tool"), None)
    if at is not None:
        text = (
            "Anthropic's messages have no names: those given are not sent. A `postProcessing` writes them in the text."
        )
        yield Finding("warning", "NAME_NOT_SENT", text, f"messages[{at}].name")


def _reasoning(messages: Sequence[dict[str, Any]]) -> Iterator[Finding]:
    at = next((at for at, one in enumerate(messages) if one.get("reasoning_content")), None)
    if at is not None:
        text = "Reasoning without Anthropic's signature can not be sent back: it is left out."
        yield Finding("info", "REASONING_NOT_SENT", text, f"messages[{at}].reasoning_content")


def _results(messages: Sequence[dict[str, Any]]) -> Iterator[Finding]:
    for at, message in enumerate(with_call_ids(messages)):
        if message["role"] == "tool" and not message.get("tool_call_id"):
            text = "The result names no call, and not exactly one call with an id is open: `tool_use_id` is empty."
            yield Finding("warning", "TOOL_CALL_ID_MISSING", text, f"messages[{at}].tool_call_id")


def _calls(messages: Sequence[dict[str, Any]]) -> Iterator[Finding]:
    for at, message in enumerate(messages):
        for number, call in enumerate(message.get("tool_calls", ())):
            if not call.get("id"):
                text = "The call has no id, and Anthropic's API asks for one: `id` is empty."
                yield Finding("warning", "TOOL_CALL_ID_MISSING", text, f"messages[{at}].tool_calls[{number}].id")
            if arguments_object(function_of(call).get("arguments")) is None:
                place = "function.arguments" if "function" in call else "arguments"
                text = "The arguments are no JSON object: their text is sent as `arguments` of the call's `input`."
                yield Finding("warning", "ARGUMENTS_NOT_JSON", text, f"messages[{at}].tool_calls[{number}].{place}")
