"""What a chat template expects of a message, found by trying it: parts or text, null or empty, arguments as what.

Back ends differ in what they send and templates in what they stand. A template that writes JSON arguments twice, prints
`None`, or prints a list as Python would, gets the form that it lays out well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from formats.jinja import ChatTemplate, JinjaError

Wire = dict[str, Any]
Arguments = Literal["object", "text", "given"]


@dataclass(frozen=True, slots=True)
class Habits:
    """What may be sent.

    `takes_parts`: text parts may stay parts. `takes_media`: pictures and the like may stand among them. `wants_parts`:
    a text must be one. `takes_null`: a content may be null. `arguments`: as an object, as its JSON text, or either.
    """

    takes_parts: bool = False
    takes_media: bool = True
    wants_parts: bool = False
    takes_null: bool = True
    arguments: Arguments = "given"


_NEEDLE: Final = "Quince jam on toast."
_KEY, _VALUE = "needle_key", "needle value"
_OBJECT: Final = {_KEY: _VALUE}
_WRITTEN: Final = f'{{"{_KEY}": "{_VALUE}"}}'
_ID: Final = "q1w2e3r4t"
_NOW: Final = "2026-01-15T12:00:00+00:00"
_USER: Final[Wire] = {"role": "user", "content": _NEEDLE}
_PARTS: Final[Wire] = {"role": "user", "content": [{"type": "text", "text": _NEEDLE}]}
_MEDIA: Final[Wire] = {"role": "user", "content": [{"type": "image", "image": "x.png"}, *_PARTS["content"]]}
_TOOL: Final[Wire] = {
    "type": "function",
    "function": {
        "name": "pour",
        "description": "Pours.",
        "parameters": {"type": "object", "properties": {}, "required": []},
    },
}
_NULLS: Final = ("None", "null")
# How Python, HTML and JSON in JSON write what a prompt should hold as it is.
_GARBLED: Final = (f"'{_KEY}'", f'\\"{_KEY}', f"&#34;{_KEY}", "&#34;name")


@lru_cache(maxsize=128)
def habits_of(template: ChatTemplate, bos: str, eos: str) -> Habits:
    """The habits of a template; those of most where it refuses the trial itself."""

    def call(*messages: Wire, tools: Sequence[Wire] = ()) -> Wire:
        return {
            "messages": list(messages), "tools": list(tools) or None, "documents": None, "bos_token": bos,
            "eos_token": eos, "add_generation_prompt": True,
        }  # fmt: skip

    outcomes = template.render_all([
        call(_USER),
        call(_PARTS),
        call(_MEDIA),
        call(*_chat("", _OBJECT), tools=[_TOOL]),
        call(*_chat("", _WRITTEN), tools=[_TOOL]),
        call(*_chat(None, _OBJECT), tools=[_TOOL]),
        call(*_chat(None, _WRITTEN), tools=[_TOOL]),
    ], now=_NOW)  # fmt: skip
    text, parts, media, given, written, null_given, null_written = outcomes
    arguments = _arguments(_garbled(given), _garbled(written))
    null, empty = (null_written, written) if arguments == "text" else (null_given, given)
    takes_parts = _holds(parts, _NEEDLE) and not _is_listed(parts)
    takes_null = isinstance(null, str) and not any(null.count(word) > str(empty).count(word) for word in _NULLS)
    return Habits(
        takes_parts=takes_parts,
        takes_media=not isinstance(media, str) or not _is_listed(media),
        wants_parts=takes_parts and not _holds(text, _NEEDLE),
        takes_null=takes_null or not isinstance(empty, str),
        arguments=arguments,
    )


def _chat(content: str | None, arguments: Any) -> list[Wire]:
    function = {"name": "pour", "arguments": arguments}
    called = {
        "role": "assistant", "content": content, "tool_calls": [{"id": _ID, "type": "function", "function": function}],
    }  # fmt: skip
    return [_USER, called, {"role": "tool", "name": "pour", "tool_call_id": _ID, "content": "poured"}]


def _is_listed(outcome: str | JinjaError) -> bool:
    """True when the parts stand in the text as Python or JSON writes a list."""
    return _holds(outcome, "'type'") or _holds(outcome, '"type"')


def _holds(outcome: str | JinjaError, text: str) -> bool:
    return isinstance(outcome, str) and text in outcome


def _garbled(outcome: str | JinjaError) -> int | None:
    """How often the text is garbled; None when the call is not in it."""
    if not isinstance(outcome, str) or _KEY not in outcome or _VALUE not in outcome:
        return None
    return sum(map(outcome.count, _GARBLED))


def _arguments(as_object: int | None, as_text: int | None) -> Arguments:
    if as_object == as_text:
        return "given"
    if as_object is None or as_text is None:
        return "text" if as_object is None else "object"
    return "object" if as_object < as_text else "text"
