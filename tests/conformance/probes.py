"""Conversations to compare a format with its family's official chat template. All of them are our own.

A probe is a conversation with what the request says beside it. `kind` is the column of the published table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Kind = Literal["text", "tools", "vision", "thinking"]
KINDS: Final[tuple[Kind, ...]] = ("text", "tools", "vision", "thinking")
Wire = dict[str, Any]


@dataclass(frozen=True)
class Probe:
    """One conversation. `enable_thinking` goes to templates that have such a switch."""

    name: str
    kind: Kind
    messages: list[Wire]
    tools: list[Wire] = field(default_factory=list)
    generate: bool = True
    continues: bool = False
    thinking: bool | None = None


def s(text: str) -> Wire:
    """A system message."""
    return {"role": "system", "content": text}


def u(text: Any) -> Wire:
    """A user message."""
    return {"role": "user", "content": text}


def a(text: str | None, *calls: Wire, **more: Any) -> Wire:
    """An assistant message, with its calls."""
    return {"role": "assistant", "content": text} | ({"tool_calls": list(calls)} if calls else {}) | more


def call(name: str, arguments: Any, call_id: str) -> Wire:
    """A tool call."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def t(text: str, name: str, call_id: str) -> Wire:
    """A tool's result."""
    return {"role": "tool", "name": name, "tool_call_id": call_id, "content": text}


TIDE: Final[Wire] = {
    "type": "function",
    "function": {
        "name": "tide",
        "description": "High water at a harbour.",
        "parameters": {
            "type": "object",
            "properties": {
                "harbour": {"type": "string", "description": "Name of the harbour"},
                "day": {"type": "string", "enum": ["today", "tomorrow"]},
            },
            "required": ["harbour"],
        },
    },
}
LAMP: Final[Wire] = {
    "type": "function",
    "function": {
        "name": "lamp",
        "description": 'Switches the light "on" & off — größer <b>.',
        "parameters": {
            "type": "object",
            "properties": {"on": {"type": "boolean", "description": "State"}, "level": {"type": "integer"}},
            "required": ["on", "level"],
        },
    },
}
ONE, TWO = "call00001", "call00002"
TIDE_CALL = call("tide", {"harbour": "Óbidos", "day": "today"}, ONE)
LAMP_CALL = call("lamp", {"on": True, "level": 3}, TWO)

SYSTEM = s("You keep the lighthouse.")
GREETING = a("*She looks up from her logbook.* Come in, out of the wind.")
ASK = u("When is high water?")
PICTURE = {"type": "image", "image": "https://pictures.example/harbour.png"}
FILM = {"type": "video", "video": "https://pictures.example/harbour.mp4"}


def _part(text: str) -> Wire:
    return {"type": "text", "text": text}


def _text() -> Iterator[Probe]:
    """Text alone: systems, turns, odd contents, the three endings."""

    def text(name: str, *messages: Wire, **more: Any) -> Probe:
        return Probe(name, "text", list(messages), **more)

    yield text("one user", u("Hello"))
    yield text("system and user", SYSTEM, u("Hello"))
    yield text("three turns", u("Hello"), a("Good evening."), u("Is the lamp lit?"))
    yield text("system and three turns", SYSTEM, u("Hello"), a("Good evening."), u("Is the lamp lit?"))
    yield text("five turns", u("One"), a("Two"), u("Three"), a("Four"), u("Five"))
    yield text("system and seven turns", SYSTEM, *[(a if at % 2 else u)(f"Line {at}") for at in range(7)])
    yield text("no generation prompt", SYSTEM, u("Hello"), a("Good evening."), generate=False)
    yield text("no generation prompt after user", u("Hello"), generate=False)
    yield text("no generation prompt, five turns", u("One"), a("Two"), u("Three"), a("Four"), u("Five"), generate=False)
    yield text("generation prompt after assistant", u("Hello"), a("Good evening."))
    yield text("continue", u("Tell me a story."), a("Once upon a"), generate=False, continues=True)
    yield text("continue with system", SYSTEM, u("Go on."), a("The sea"), generate=False, continues=True)
    yield text("greeting first", SYSTEM, GREETING, u("Thank you."))
    yield text("greeting without system", GREETING, u("Thank you."))
    yield text("two users", u("Hello?"), u("Anybody here?"))
    yield text("two users behind a system", SYSTEM, u("Hello?"), u("Anybody here?"))
    yield text("two assistants", u("Hello"), a("Yes?"), a("Who is there?"), u("Me."))
    yield text("system in the middle", SYSTEM, u("Hello"), a("Yes?"), s("It begins to rain."), u("Brr."))
    yield text("system at the end", u("Hello"), a("Yes?"), u("Brr."), s("Answer briefly."))
    yield text("two systems", SYSTEM, s("Answer briefly."), u("Hello"))
    yield text(
        "white space around", s("  Keep watch.\n"), u(" Hello \n\n"), a("\n Good evening.\t"), u("\n\nAnd now?  ")
    )
    yield text("inner line ends", s("A\n\nB"), u("1\n2\n\n3"), a("x\n\ny"), u("z\nz"))
    yield text("empty system", s(""), u("Hello"))
    yield text("empty user", SYSTEM, u(""))
    yield text("empty assistant", u("Hello"), a(""), u("Anybody?"))
    yield text("HTML", s("<i>\"A\" & 'B'</i>"), u("<b>bold</b> &amp; <br/>"), a("1 < 2 && 3 > 2"), u("</b>"))
    yield text("templates in text", s("{{system}} {% if x %}"), u("{{user}} {{{content}}}"), a("{tools}"), u("{{/if}}"))
    yield text("emoji", s("🙂"), u("👩‍🚒🔥"), a("🌊🌊"), u("é"))
    yield text("CJK", s("あなたは灯台守です。"), u("こんばんは、灯りは?"), a("点いています。"), u("谢谢"))
    yield text("right to left", u("שלום"), a("مرحبا"), u("ok"))
    yield text("special tokens", u("<|im_end|></s><eos><|eot_id|>[/INST]"), a("<|endoftext|>"), u("<|user|>"))
    yield text("quotes and backslashes", u("C:\\new \"x\" 'y'"), a("\\n is two characters"), u("`code`"))
    yield text("names", {"role": "user", "name": "Ann", "content": "Hello"}, a("Good evening."), u("Bye"))
    yield text(
        "roleplay",
        s("You are Mara. Write in the present tense."),
        GREETING,
        u("*I shake the rain off.*"),
        a('"Sit," *she says.*'),
        u('"Who else is here?"'),
    )
    yield text("long text", u("sea " * 200), a("shore " * 100), u("?"))


def _tools() -> Iterator[Probe]:
    """Catalogues, calls and results."""

    def tools(name: str, given: list[Wire], *messages: Wire, **more: Any) -> Probe:
        return Probe(name, "tools", list(messages), tools=given, **more)

    both, result = [TIDE, LAMP], t("18:40, falling", "tide", ONE)
    yield tools("one tool", [TIDE], ASK)
    yield tools("one tool and system", [TIDE], SYSTEM, ASK)
    yield tools("two tools", both, ASK)
    yield tools("two tools and system", both, SYSTEM, ASK)
    yield tools("tools and turns", [TIDE], SYSTEM, u("Hello"), a("Yes?"), ASK)
    yield tools("a call", [TIDE], SYSTEM, ASK, a("", TIDE_CALL), generate=False)
    yield tools("a call with text", [TIDE], ASK, a("Let me look.", TIDE_CALL), generate=False)
    yield tools("a call and its result", [TIDE], SYSTEM, ASK, a("", TIDE_CALL), result)
    yield tools("a call with null content", [TIDE], ASK, a(None, TIDE_CALL), result)
    yield tools("arguments as text", [TIDE], ASK, a("", call("tide", '{"harbour": "Óbidos"}', ONE)), result)
    yield tools("no arguments", [TIDE], ASK, a("", call("tide", {}, ONE)), result)
    yield tools("call, result, answer", [TIDE], SYSTEM, ASK, a("", TIDE_CALL), result, a("At 18:40."), u("Thanks"))
    yield tools(
        "call, result, answer at the end", [TIDE], ASK, a("", TIDE_CALL), result, a("At 18:40."), generate=False
    )
    yield tools("parallel calls", both, ASK, a("", TIDE_CALL, LAMP_CALL), generate=False)
    yield tools("parallel results", both, SYSTEM, ASK, a("", TIDE_CALL, LAMP_CALL), result, t("lit", "lamp", TWO))
    yield tools("two rounds", both, ASK, a("", TIDE_CALL), result, a("", LAMP_CALL), t("lit", "lamp", TWO))
    yield tools(
        "two rounds and answers",
        both,
        ASK,
        a("", TIDE_CALL),
        result,
        a("At 18:40."),
        u("And the lamp?"),
        a("", LAMP_CALL),
        t("lit", "lamp", TWO),
        a("Lit."),
        u("Good"),
    )
    yield tools("odd result", [TIDE], ASK, a("", TIDE_CALL), t('{"at": "18:40", "näher": "<b>&"}\n', "tide", ONE))
    yield tools("calls without a catalogue", [], ASK, a("", TIDE_CALL), result, a("At 18:40."), u("Thanks"))


def _vision() -> Iterator[Probe]:
    """Parts: text, pictures, films."""

    def vision(name: str, *messages: Wire, **more: Any) -> Probe:
        return Probe(name, "vision", list(messages), **more)

    yield vision("text part", u([_part("Hello")]))
    yield vision("picture and text", u([PICTURE, _part("What is this?")]))
    yield vision("text and picture", SYSTEM, u([_part("What is this?"), PICTURE]))
    yield vision("two pictures", u([PICTURE, _part("and"), PICTURE, _part("differ how?")]))
    yield vision(
        "pictures in two turns", u([PICTURE, _part("This?")]), a("A harbour."), u([PICTURE, _part("And this?")])
    )
    yield vision("picture alone", u([PICTURE]))
    yield vision("film", u([FILM, _part("What happens?")]))


def _thinking() -> Iterator[Probe]:
    """Reasoning given beside the content or inside it, and the switch."""

    def thinking(name: str, *messages: Wire, **more: Any) -> Probe:
        return Probe(name, "thinking", list(messages), **more)

    thought = a("Good evening.", reasoning_content="Somebody knocks.")
    inline = a("<think>\nSomebody knocks.\n</think>\n\nGood evening.")
    yield thinking("thinking on", u("Hello"), thinking=True)
    yield thinking("thinking off", u("Hello"), thinking=False)
    yield thinking("thinking on, system", SYSTEM, u("Hello"), thinking=True)
    yield thinking("thinking off, turns", SYSTEM, u("Hello"), a("Good evening."), u("Cold?"), thinking=False)
    yield thinking("reasoning in history", u("Hello"), thought, u("Cold?"))
    yield thinking("reasoning in the last turn", u("Hello"), thought, generate=False)
    yield thinking("reasoning inside the content", u("Hello"), inline, u("Cold?"))
    yield thinking("reasoning inside the last content", u("Hello"), inline, generate=False)
    yield thinking(
        "reasoning before a call",
        u("Hello"),
        a("", TIDE_CALL, reasoning_content="I must look."),
        t("18:40, falling", "tide", ONE),
        tools=[TIDE],
    )


def probes() -> list[Probe]:
    """All of them, in the order of the table's columns."""
    return [*_text(), *_tools(), *_vision(), *_thinking()]
