"""The conversations that every format is tried on: what real chats do, and what templates most often forget."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from formats.handlebars import TemplateError
from formats.lint.rule import Probe
from formats.prompt import InstructFormat, Message, PromptError, render
from formats.prompt.errors import TEMPLATE_LIMIT

# name → roles, and arguments of render. Every content is unlike any other, so a lost or doubled one shows.
_CHATS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "one user": ("u", {}),
    "system and user": ("su", {}),
    "many turns": ("suauau", {}),
    "closed": ("suaua", {"add_generation_prompt": False}),
    "continued": ("uaua", {"continue_final_message": True}),
    "greeting first": ("saua", {}),
    "system text inside": ("suasu", {}),
    "two users in a row": ("uu", {}),
    "a tool's result": ("uatau", {}),
    "two system messages": ("ssu", {}),
    "an empty chat": ("", {}),
    "1,000 messages": ("ua" * 500, {}),
}
_CALL: Final = {"id": "probeca11", "type": "function", "function": {"name": "probe_call", "arguments": '{"probe": 1}'}}
_OTHER: Final = {"id": "probeca12", "type": "function", "function": {"name": "other_call", "arguments": {"probe": 2}}}
_ASK: Final = {"role": "user", "content": "probe asks"}
# What a row of roles can not say: calls, whose arguments come as text or as an object, and parts.
_WIRE: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "a call without content": (_ASK, {"role": "assistant", "content": None, "tool_calls": [_CALL]}),
    "parallel calls": (
        _ASK,
        {"role": "assistant", "content": None, "tool_calls": [_CALL, _OTHER]},
        {"role": "tool", "content": "probe first", "tool_call_id": "probeca11"},
        {"role": "tool", "content": "probe second", "tool_call_id": "probeca12"},
        {"role": "assistant", "content": "probe answers"},
        {"role": "user", "content": "probe thanks"},
    ),
    "text in parts": ({"role": "user", "content": [{"type": "text", "text": "probe in parts"}]},),
}
# Chat templates may ask for the date, and have none of their own to fall back on.
_DAY: Final = "2026-01-15T12:00:00+00:00"
_ROLES: Final = {"s": "system", "u": "user", "a": "assistant", "t": "tool"}


def probes(fmt: InstructFormat) -> Iterator[Probe]:
    """Every probe conversation in `fmt`, until one takes a chat template to a limit: the others would cost as much."""
    for name, messages, arguments in _conversations():
        probe = _probe(fmt, name, messages, arguments)
        yield probe
        if fmt.chat_template is not None and _is_limit(probe.error):
            return


def _conversations() -> Iterator[tuple[str, list[Message], dict[str, Any]]]:
    for name, (roles, arguments) in _CHATS.items():
        messages = [Message(_ROLES[role], f"probe {_ROLES[role]} {at}.") for at, role in enumerate(roles)]
        yield name, messages, arguments
    for name, values in _WIRE.items():
        yield name, Message.read_all(values), {}


def _is_limit(error: Exception | None) -> bool:
    return isinstance(error, PromptError) and any(fault.code == TEMPLATE_LIMIT for fault in error.faults)


def _probe(fmt: InstructFormat, name: str, messages: list[Message], arguments: dict[str, Any]) -> Probe:
    if fmt.chat_template is not None:
        arguments = arguments | {"options": {"now": _DAY}}
    try:
        return Probe(fmt, name, tuple(messages), render(fmt, messages, **arguments))
    except (PromptError, TemplateError) as error:
        return Probe(fmt, name, tuple(messages), None, error)
