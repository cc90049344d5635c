"""Formats as Ollama Modelfiles with a Go template."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from formats.interchange.framing import NAME, Frame, Place, frame_of, item_frame, place_of, unsaid
from formats.interchange.reading import Loss, Written
from formats.prompt import InstructFormat

SAID: Final = (
    "system", "user", "assistant", "tool", "prefix", "bos", "eos", "separator", "promptSuffix", "stopStrings",
    "defaultSystem", "tools", "toolCalls", "toolResults", "names", "systemPolicy", "alternation", "mergeSeparator",
)  # fmt: skip
REASON: Final = "has no place in a Modelfile"
_ROLES: Final = ("system", "user", "assistant", "tool")


def write_modelfile(fmt: InstructFormat) -> Written:
    """Return a Modelfile; `MODEL` stands where the weights are named."""
    writing = _Modelfile(fmt)
    lines = ["FROM MODEL", f'TEMPLATE """{writing.template()}"""']
    if fmt.default_system is not None:
        lines.append(f'SYSTEM """{fmt.default_system}"""')
    lines += [f"PARAMETER stop {_string(stop)}" for stop in fmt.stop_strings]
    return Written("\n".join(lines) + "\n", "Modelfile", tuple(writing.losses))


class _Modelfile:
    def __init__(self, fmt: InstructFormat) -> None:
        self.fmt = fmt
        self.losses: list[Loss] = []
        self._frames = {role: self._frame(role) for role in _ROLES}
        self._note()

    def _frame(self, role: str) -> Frame:
        frame = frame_of(self.fmt, role, role)
        if not frame.exact or NAME in frame.before + frame.after:
            self.losses.append(Loss(role, "is written as in an ordinary turn; what it decides has no place"))
        return frame._replace(before=frame.before.replace(NAME, ""), after=frame.after.replace(NAME, ""))

    def _note(self) -> None:
        fmt = self.fmt
        if fmt.bos:
            self.losses.append(Loss("bos", "is left to the tokenizer, which Ollama lets add it"))
        if fmt.alternation != "merge":
            self.losses.append(Loss("alternation", "Ollama joins turns of one role with a blank line"))
        if fmt.names == "prefix":
            self.losses.append(Loss("names", REASON))
        if fmt.system_policy.first != "block" or fmt.system_policy.later != "block":
            self.losses.append(Loss("systemPolicy", "a system text has a turn of its own there"))
        self.losses += unsaid(fmt, SAID, REASON)

    def template(self) -> str:
        """Return the Go template: everything literal is a string, so no white space of the source counts."""
        turns: list[str] = []
        for role, frame in self._frames.items():
            word = "if" if not turns else "else if"
            turns.append(f'{{{{- {word} eq .Role "{role}" }}}}{self._turn(role, frame)}')
        separator = self.fmt.separator
        between = _if("$i", _print(separator)) + "\n" if separator else ""
        suffix = (_print(separator) if separator else "") + _print(self.fmt.prompt_suffix)
        asks = _if('and $last (ne .Role "assistant")', suffix) + "\n"
        return (
            f"{_print(self.fmt.prefix)}{self._opened()}{{{{- range $i, $_ := .Messages }}}}\n"
            f"{{{{- $last := eq (len (slice $.Messages $i)) 1 }}}}\n{between}"
            + "\n".join(turns) + f"\n{{{{- end }}}}\n{asks}{{{{- end }}}}"
        )  # fmt: skip

    def _turn(self, role: str, frame: Frame) -> str:
        if role == "tool" and self.fmt.tool_results is not None:
            self.losses.append(Loss("toolResults", "each result has the section by itself"))
            section = item_frame(self.fmt, "toolResults.section", "toolResults")
            item = item_frame(self.fmt, "toolResults.item", "content")
            frame = Frame(
                frame.before + section.before + item.before, item.after + section.after + frame.after, exact=True
            )
        before, after = frame.before, frame.after
        tools = place_of(self.fmt, "system", "system", "tools") if role == "system" else None
        calls = place_of(self.fmt, "assistant", "assistant", "toolCalls") if role == "assistant" else None
        place = tools or calls
        listed = self._tools(tools) if tools is not None else self._calls(calls) if calls is not None else ""
        if role == "assistant":
            after += self.fmt.eos
        opening, closing = _print(before), _print(after)
        if place is not None and place.is_behind:
            closing = _print(after[: place.offset]) + listed + _print(after[place.offset :])
        elif place is not None:
            opening = _print(before[: place.offset]) + listed + _print(before[place.offset :])
        if role == "assistant" and closing:
            closing = _if("or .ToolCalls (not $last)", closing)
        return f"{opening}{{{{- .Content }}}}{closing}"

    def _opened(self) -> str:
        """A system turn for tools alone, where the conversation has none."""
        if place_of(self.fmt, "system", "system", "tools") is None:
            return "\n"
        turn = self._turn("system", self._frames["system"]).replace("{{- .Content }}", "")
        return _if("and .Tools (not .System)", turn) + "\n"

    def _tools(self, place: Place) -> str:
        self.losses.append(Loss("tools.format", "Ollama writes a tool as JSON of its own"))
        section = item_frame(self.fmt, "tools.section", "tools")
        item = item_frame(self.fmt, "tools.item", "tool")
        joined = _if("$n", _print(self.fmt.compiled.tools.joiner))
        each = f"{joined}{_print(item.before)}{{{{- json $tool }}}}{_print(item.after)}"
        listed = f"{{{{- range $n, $tool := $.Tools }}}}{each}{{{{- end }}}}"
        return _if("$.Tools", _print(place.before + section.before) + listed + _print(section.after + place.after))

    def _calls(self, place: Place) -> str:
        section = item_frame(self.fmt, "toolCalls.section", "toolCalls")
        item = item_frame(self.fmt, "toolCalls.item", "toolCall")
        if not item.exact:
            self.losses.append(Loss("toolCalls.item", "a call is written as JSON of name and arguments"))
        name, arguments = "{{- .Function.Name }}", "{{- json .Function.Arguments }}"
        call = _print('{"name": "') + name + _print('", "arguments": ') + arguments + _print("}")
        joined = _if("$n", _print(self.fmt.compiled.tool_calls.joiner))
        each = f"{joined}{_print(item.before)}{call}{_print(item.after)}"
        listed = f"{{{{- range $n, $call := .ToolCalls }}}}{each}{{{{- end }}}}"
        return _if(".ToolCalls", _print(place.before + section.before) + listed + _print(section.after + place.after))


def _if(condition: str, body: str) -> str:
    return f"{{{{- if {condition} }}}}{body}{{{{- end }}}}" if body else ""


def _string(text: str) -> str:
    """Return a Go string."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(escapes.get(letter, letter) for letter in text) + '"'


def _print(text: str) -> str:
    return f"{{{{- {_string(text)} }}}}" if text else ""


WRITERS: Final[Mapping[str, Callable[[InstructFormat], Written]]] = {"ollama": write_modelfile}
