"""Conversations that a chat template is tried on: what it does with them says which engine and which format it is like.

JSON values only, all of our own making. Every content is unlike any other of its probe, so that it can be found again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

Wire = dict[str, Any]
Kind = Literal["text", "roles", "tools", "parts", "thinking"]
NOW: Final = "2026-03-05T09:30:00+00:00"


@dataclass(frozen=True, slots=True)
class Probe:
    """One conversation with its switches. `now` is an ISO date and time, None for no clock."""

    name: str
    kind: Kind
    messages: tuple[Wire, ...]
    tools: tuple[Wire, ...] = ()
    generate: bool = True
    thinking: bool | None = None
    now: str | None = NOW

    def variables(self, bos: str, eos: str) -> Wire:
        """What a template sees, as transformers passes it."""
        switches: Wire = {} if self.thinking is None else {"enable_thinking": self.thinking, "thinking": self.thinking}
        return switches | {
            "messages": list(self.messages), "tools": list(self.tools) or None, "documents": None,
            "bos_token": bos, "eos_token": eos, "add_generation_prompt": self.generate,
        }  # fmt: skip


def _s(text: Any) -> Wire:
    return {"role": "system", "content": text}


def _u(text: Any, **more: Any) -> Wire:
    return {"role": "user", "content": text, **more}


def _a(text: Any, *calls: Wire, **more: Any) -> Wire:
    return {"role": "assistant", "content": text, **more} | ({"tool_calls": list(calls)} if calls else {})


def _t(text: str, call: Wire) -> Wire:
    return {"role": "tool", "name": call["function"]["name"], "tool_call_id": call["id"], "content": text}


def _call(name: str, arguments: Any, call_id: str) -> Wire:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _tool(name: str, description: str, properties: Wire, *required: str) -> Wire:
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


FERRY: Final = _tool(
    "ferry_times",
    "Departures of the <ferry> on a \"good\" day & 'bad' — größer.",
    {
        "port": {"type": "string", "description": "Where it leaves"},
        "seats": {"type": "integer", "description": "How many", "default": 2},
        "class": {"type": "string", "enum": ["deck", "cabin"], "description": "Where one sits"},
        "stops": {"type": "array", "items": {"type": "string"}, "description": "Harbours between"},
        "window": {"type": "boolean", "description": "By the window"},
    },
    "port",
)
BELL: Final = _tool("ring_bell", "Rings once.", {})
_FERRY = _call("ferry_times", {"port": "Ærø", "seats": 3, "window": None, "share": 0.5}, "k4Tq9Zb01")
_BELL = _call("ring_bell", {}, "k4Tq9Zb02")
_FERRY_TEXT = _call("ferry_times", '{"port": "Ærø"}', "k4Tq9Zb01")

_KEEPER, _RAIN = _s("You keep the harbour."), _s("It starts to rain.")
_ASK, _BACK, _MORE = _u("Does the ferry run?"), _a("At noon, wind allowing."), _u("Then I wait here.")
_WELCOME = _a("*A lantern swings.* Who goes there?")
_PICTURE: Final = {"type": "image", "image": "https://pictures.example/quay.png"}
_LINKED: Final = {"type": "image_url", "image_url": {"url": "https://pictures.example/quay.png"}}


def _part(text: str) -> Wire:
    return {"type": "text", "text": text}


_TEXT: Final = (
    Probe("one user", "text", (_ASK,)),
    Probe("system and user", "text", (_KEEPER, _ASK)),
    Probe("three turns", "text", (_ASK, _BACK, _MORE)),
    Probe("system and three turns", "text", (_KEEPER, _ASK, _BACK, _MORE)),
    Probe("system and five turns", "text", (_KEEPER, _ASK, _BACK, _MORE, _a("Sit down."), _u("Is it far?"))),
    Probe("closed", "text", (_KEEPER, _ASK, _BACK), generate=False),
    Probe("closed, no system", "text", (_ASK, _BACK, _MORE, _a("So be it.")), generate=False),
    Probe("generated after an assistant", "text", (_ASK, _BACK)),
    Probe("user, closed", "text", (_KEEPER, _ASK), generate=False),
    Probe("spaces", "text", (_s(" \n Watch. \n"), _u("\n\nNow?  "), _a("  Soon.\n\n"), _u(" Good \t"))),
    Probe("line ends inside", "text", (_s("a\n\nb"), _u("c\nd\n\n\ne"), _a("f\n g"), _u("h\n\ti"))),
    Probe("signs", "text", (_s("<i>\"x\" & 'y'</i>"), _u("{{user}} {% if %} {#"), _a("a\\nb C:\\d"), _u("`1` < 2"))),
    Probe("scripts", "text", (_s("港を見守る。"), _u("Ångström 👩‍🚒 é"), _a("مرحبا שלום"), _u("谢谢🙂"))),
    Probe("empty texts", "text", (_s(""), _u(""), _a(""), _u("Still there?"))),
    Probe("no date", "text", (_KEEPER, _ASK), now=None),
)
_ROLES: Final = (
    Probe("greeting first", "roles", (_WELCOME, _ASK)),
    Probe("system and greeting", "roles", (_KEEPER, _WELCOME, _ASK)),
    Probe("two users", "roles", (_ASK, _MORE)),
    Probe("two assistants", "roles", (_ASK, _BACK, _a("Or at one."), _MORE)),
    Probe("system inside", "roles", (_KEEPER, _ASK, _BACK, _RAIN, _MORE)),
    Probe("two systems", "roles", (_KEEPER, _RAIN, _ASK)),
    Probe("system last", "roles", (_ASK, _BACK, _RAIN)),
    Probe("names", "roles", (_u("Hello.", name="Ada"), _a("Good day.", name="Bo"), _u("Any news?"))),
)
_TOOLS: Final = (
    Probe("a tool", "tools", (_ASK,), (FERRY,)),
    Probe("a tool and a system", "tools", (_KEEPER, _ASK), (FERRY,)),
    Probe("two tools", "tools", (_KEEPER, _ASK, _BACK, _MORE), (FERRY, BELL)),
    Probe("a call", "tools", (_ASK, _a("", _FERRY)), (FERRY,), generate=False),
    Probe("a call without content", "tools", (_ASK, _a(None, _FERRY), _t("noon", _FERRY)), (FERRY,)),
    Probe("a result", "tools", (_KEEPER, _ASK, _a("", _FERRY), _t("noon", _FERRY)), (FERRY,)),
    Probe(
        "a result answered", "tools", (_ASK, _a("I look.", _FERRY), _t('{"at": 12}', _FERRY), _BACK, _MORE), (FERRY,)
    ),
    Probe(
        "parallel calls",
        "tools",
        (_KEEPER, _ASK, _a("", _FERRY, _BELL), _t("noon", _FERRY), _t("<dong>\n", _BELL), _BACK, _MORE),
        (FERRY, BELL),
    ),
    Probe("arguments as text", "tools", (_ASK, _a("", _FERRY_TEXT), _t("noon", _FERRY)), (FERRY,)),
    Probe("calls without a catalogue", "tools", (_ASK, _a("", _FERRY), _t("noon", _FERRY), _BACK, _MORE)),
)
_PARTS: Final = (
    Probe("text parts", "parts", (_s([_part("Keep.")]), _u([_part("Does it run?")]), _a([_part("Yes.")]), _MORE)),
    Probe("a picture", "parts", (_KEEPER, _u([_PICTURE, _part("What is this?")]))),
    Probe("a linked picture", "parts", (_u([_part("And"), _LINKED, _part("this?")]), _a("A quay."), _MORE)),
)
_THINKING: Final = (
    Probe("thinking on", "thinking", (_KEEPER, _ASK, _BACK, _MORE), thinking=True),
    Probe("thinking off", "thinking", (_KEEPER, _ASK, _BACK, _MORE), thinking=False),
    Probe("thoughts in the text", "thinking", (_ASK, _a("<think>\nTides.\n</think>\n\nAt noon."), _MORE)),
    Probe("thoughts beside the text", "thinking", (_ASK, _a("At noon.", reasoning_content="Tides."), _MORE)),
    Probe("thoughts at the end", "thinking", (_ASK, _a("At noon.", reasoning_content="Tides.")), generate=False),
    Probe(
        "thoughts around a call",
        "thinking",
        (_ASK, _a("", _FERRY, reasoning_content="I ask."), _t("noon", _FERRY)),
        (FERRY,),
    ),
)
PROBES: Final[tuple[Probe, ...]] = _TEXT + _ROLES + _TOOLS + _PARTS + _THINKING
