"""The message array that a chat template gets: prepared by the policies of the format, in OpenAI's shape.

System text, alternation, names and trimming are those of every format (`defaultSystem`, `systemPolicy`, `alternation`,
`names`, `trim`); what is in the array then is the template's to lay out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from formats.prompt.alternation import alternate
from formats.prompt.errors import RenderRefused
from formats.prompt.facts import date_text
from formats.prompt.jinja_habits import Habits
from formats.prompt.message import Message
from formats.prompt.options import RenderSettings
from formats.prompt.plan import Plan
from formats.prompt.reading import trimmed
from formats.prompt.segments import Segment
from formats.prompt.special_tokens import guarded_value
from formats.prompt.system_policy import arrange_system, fold
from formats.prompt.tools import parsed
from formats.prompt.turns import Turn, content, markup

if TYPE_CHECKING:
    from formats.prompt.compiled import CompiledFormat

Wire = dict[str, Any]
Mark = Callable[[Segment], str]
"""What stands in the array for a text: the text itself, or the text with marks to find it again."""

# Stands in a turn's pieces for a part that is no text.
_PART: Final = "part"
_SIGN: Final = "\ue001"
_PLACE: Final = re.compile(f"{_SIGN}([0-9]+){_SIGN}")


class ArrayPlan(Plan):
    """The turns of a conversation, and their wire form; the notes are what the policies had to say."""

    def __init__(self, compiled: CompiledFormat, messages: Sequence[Message], settings: RenderSettings) -> None:
        self.compiled, self.settings = compiled, settings
        self.notes = []
        self.system_tools, self.system_skills, self.media = [], [], []
        self.has_system = any(message.role == "system" for message in messages)
        self.date = date_text(self)
        self.messages = messages
        self.parts: list[Wire] = []
        self.turns = self._prepared()
        for index, message in enumerate(messages):
            self.notes.extend(message.findings(f"messages[{index}]"))
        self.tools = [guarded_value(tool, self.guard, "tools") for tool in settings.tools]

    def wire(self, habits: Habits, mark: Mark, *, end: str = "") -> list[Wire]:
        """The array. `end` is written behind the last text."""
        last = len(self.turns) - 1
        return [self._message(turn, habits, mark, end if at == last else "") for at, turn in enumerate(self.turns)]

    @property
    def has_null(self) -> bool:
        """True when some message has no content at all."""
        return any(message.body is None and message.parts is None for message in self.messages)

    def texts(self, habits: Habits) -> Iterator[Segment]:
        """Every text of the array that is the caller's, in the order that marks are asked for."""
        found: list[Segment] = []

        def keep(piece: Segment) -> str:
            found.append(piece)
            return piece.text

        self.wire(habits, keep)
        yield from found

    def speaker(self) -> str | None:
        """Who talks next, for formats that write names."""
        if self.settings.speaker is not None:
            return self.settings.speaker
        spoken = (message.name for message in reversed(self.messages) if message.role == "assistant" and message.name)
        return next(spoken, None)

    def _prepared(self) -> list[Turn]:
        kept = [(index, message) for index, message in enumerate(self.messages) if not message.excluded]
        if self.settings.continue_final_message and (not kept or kept[-1][1].role != "assistant"):
            place = f"messages[{kept[-1][0]}].role" if kept else "messages"
            raise RenderRefused("only an assistant's last message can be continued", place)
        last = kept[-1][0] if self.settings.continue_final_message else None
        turns, folded = arrange_system(self, [self._turn(message, index, last) for index, message in kept])
        turns = alternate(self, turns)
        return turns if folded is None else fold(self, turns, folded)

    def _turn(self, message: Message, index: int, last: int | None) -> Turn:
        fmt = self.compiled.format
        pieces = self._pieces(message, index)
        if index != last and getattr(fmt.trim, message.role):
            pieces = trimmed(pieces)
        name = self.guard(message.name, f"messages[{index}].name") if message.name else None
        if message.role != "tool":
            if fmt.names == "prefix" and name and message.role != "system":
                pieces = [content(f"{name}: ", "name", index), *pieces]
            name = name if fmt.names == "template" else None
        calls = [guarded_value(call, self.guard, f"messages[{index}].tool_calls") for call in message.tool_calls]
        turn = Turn(message.role, pieces, index, name=name, is_open=index == last, tool_calls=calls)
        if message.reasoning:
            text = self.guard(message.reasoning, f"messages[{index}].reasoning_content")
            turn.reasoning = [content(text, "reasoning", index)]
        return turn

    def _pieces(self, message: Message, index: int) -> list[Segment]:
        path = f"messages[{index}].content"
        if message.parts is None:
            return [content(self.guard(message.body or "", path), message.origin, index)]
        pieces: list[Segment] = []
        for at, part in enumerate(message.parts):
            if part["type"] == "text":
                pieces.append(content(self.guard(part["text"], f"{path}[{at}].text"), message.origin, index))
            else:
                pieces.append(markup(f"{_SIGN}{len(self.parts)}{_SIGN}", _PART, index))
                self.parts.append(part)
                self.media.append({"type": str(part["type"]), "message": index, "path": f"{path}[{at}]"})
        return pieces

    def _message(self, turn: Turn, habits: Habits, mark: Mark, end: str) -> Wire:
        wire: Wire = {"role": turn.role, "content": self._content(turn, habits, mark, end)}
        given = None if turn.index is None else self.messages[turn.index]
        if turn.name:
            wire["name"] = turn.name
        if turn.reasoning:
            wire["reasoning_content"] = mark(turn.reasoning[0])
        if turn.tool_calls:
            wire["tool_calls"] = [_call(call, turn.index, habits, mark) for call in turn.tool_calls]
        if given is not None and given.tool_call_id and turn.role == "tool":
            wire["tool_call_id"] = given.tool_call_id
        return wire

    def _content(self, turn: Turn, habits: Habits, mark: Mark, end: str) -> Any:
        given = None if turn.index is None else self.messages[turn.index]
        in_parts = habits.takes_media and any(piece.source == _PART for piece in turn.pieces)
        if given is not None and given.body is None and given.parts is None and not turn.text and not end:
            return None if habits.takes_null else ""
        was_parts = given is not None and given.parts is not None and habits.takes_parts
        if not in_parts and not was_parts and not habits.wants_parts:
            return "".join(_marked(piece, mark) for piece in turn.pieces if piece.source != _PART) + end
        parts = list(self._parts(turn, habits, mark, joined=not was_parts))
        if end and parts and parts[-1]["type"] == "text":
            parts[-1] = {"type": "text", "text": parts[-1]["text"] + end}
        elif end:
            parts.append({"type": "text", "text": end})
        return parts

    def _parts(self, turn: Turn, habits: Habits, mark: Mark, *, joined: bool) -> Iterator[Wire]:
        text: list[str] = []
        for piece in turn.pieces:
            if piece.source != _PART:
                text.append(_marked(piece, mark))
            if text and (piece.source == _PART or not joined):
                yield {"type": "text", "text": "".join(text)}
                text.clear()
            if piece.source == _PART and habits.takes_media and (place := _PLACE.fullmatch(piece.text)):
                yield self.parts[int(place[1])]
        if text:
            yield {"type": "text", "text": "".join(text)}


def plain(piece: Segment) -> str:
    """The text as it is."""
    return piece.text


def _marked(piece: Segment, mark: Mark) -> str:
    return mark(piece) if piece.kind == "content" else piece.text


def _call(call: Wire, index: int | None, habits: Habits, mark: Mark) -> Wire:
    """A call in OpenAI's shape, its arguments as the template takes them."""
    function = dict(call.get("function", call))
    arguments = function.get("arguments", {})
    if habits.arguments == "object":
        arguments = parsed(arguments)
    if isinstance(arguments, dict):
        arguments = _marked_values(arguments, mark, index)
    if habits.arguments == "text" and not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    function["arguments"] = arguments
    kept = {key: call[key] for key in ("id", "type") if call.get(key)}
    function = {key: value for key, value in function.items() if key not in kept}
    return {"type": "function", **kept, "function": function}


def _marked_values(value: Any, mark: Mark, index: int | None) -> Any:
    if isinstance(value, str):
        return mark(content(value, "toolCalls", index))
    if isinstance(value, list):
        return [_marked_values(item, mark, index) for item in value]
    if isinstance(value, dict):
        return {key: _marked_values(item, mark, index) for key, item in value.items()}
    return value
