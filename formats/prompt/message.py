"""`Message`: one turn of a clean conversation. The only thing that flows between stages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from formats.prompt.errors import Fault, MessageError
from formats.prompt.findings import Finding
from formats.prompt.message_input import ROLES, read_message

Role = Literal["system", "user", "assistant", "tool"]
HISTORY: Final = "history"

_FIELDS: Final = (
    "id", "role", "body", "parts", "name", "tool_calls", "tool_call_id", "reasoning",
    "pinned", "excluded", "origin", "meta", "notes",
)  # fmt: skip


class Message:
    """A role and its content, with where it came from.

    `text` is the plain text of a message that is nothing but text, else None: a message with parts, tool calls or
    reasoning, or an excluded one, takes the careful path. `body` is the string content in every case, None when there
    is none. Treat a message as a value: use `replace`, never assign.
    """

    __slots__ = (*_FIELDS, "text")

    def __init__(
        self,
        role: str,
        text: str | None = None,
        *,
        id: str | None = None,  # noqa: A002  # the wire's name
        parts: tuple[dict[str, Any], ...] | None = None,
        name: str | None = None,
        tool_calls: tuple[dict[str, Any], ...] = (),
        tool_call_id: str | None = None,
        reasoning: str | None = None,
        pinned: bool = False,
        excluded: bool = False,
        origin: str = HISTORY,
        meta: Mapping[str, Any] | None = None,
        notes: tuple[tuple[str, str, str], ...] = (),
    ) -> None:
        if role not in ROLES:
            raise MessageError(Fault("role", f"unknown role {role!r}"))
        self.id, self.role, self.body, self.parts, self.name = id, role, text, parts, name
        self.tool_calls, self.tool_call_id, self.reasoning = tuple(tool_calls), tool_call_id, reasoning
        self.pinned, self.excluded, self.origin, self.meta, self.notes = pinned, excluded, origin, meta, notes
        self.text = None if parts is not None or tool_calls or reasoning or excluded else text

    @classmethod
    def model_validate(cls, value: Any, *, path: str = "") -> Message:
        """Read one message of the wire; errors are located below `path`."""
        if isinstance(value, cls):
            return value
        return cls._plain_turn(value) or cls(**read_message(value, path))

    @classmethod
    def _plain_turn(cls, value: Any) -> Message | None:
        """A role and a text and nothing else, as most messages are; None for what needs the careful reader."""
        if type(value) is dict and len(value) == 2:
            role, text = value.get("role"), value.get("content")
            if type(text) is str and role in ROLES and type(role) is str:
                return cls(role, text)
        return None

    @classmethod
    def read_all(cls, values: Any, *, path: str = "messages") -> list[Message]:
        """Read an array; every fault of every message is reported, each with its index."""
        if not isinstance(values, list | tuple):
            raise MessageError(Fault(path, "must be an array of messages"))
        messages: list[Message] = []
        faults: list[Fault] = []
        new = cls.__new__
        for index, value in enumerate(values):
            # `_plain_turn` once more, without the calls: nearly every message is one
            if type(value) is dict and len(value) == 2 and "role" in value and "content" in value:
                role, text = value["role"], value["content"]
                if type(text) is str and type(role) is str and role in ROLES:
                    one = new(cls)
                    one.id = one.parts = one.name = one.tool_call_id = one.reasoning = one.meta = None
                    one.role, one.body, one.text, one.origin = role, text, text, HISTORY
                    one.tool_calls = one.notes = ()
                    one.pinned = one.excluded = False
                    messages.append(one)
                    continue
            try:
                messages.append(cls.model_validate(value, path=f"{path}[{index}]"))
            except MessageError as error:
                faults.extend(error.faults)
        if faults:
            raise MessageError(faults)
        return messages

    @property
    def plain(self) -> str:
        """All text of the message: its string, or its text parts one after the other."""
        if self.parts is None:
            return self.body or ""
        return "".join(part["text"] for part in self.parts if part.get("type") == "text")

    def findings(self, path: str) -> Iterable[Finding]:
        """What reading this message noticed: a renamed role, an unread field."""
        for code, field, message in self.notes:
            yield Finding("info" if code == "ROLE_ALIAS" else "warning", code, message, f"{path}.{field}")

    def replace(self, **changes: Any) -> Message:
        """A copy with other values; `text` sets the string content."""
        values = {("text" if field == "body" else field): getattr(self, field) for field in _FIELDS}
        return Message(**(values | changes))

    def to_wire(self) -> dict[str, Any]:
        """OpenAI's shape, only keys with a value; content is a string unless it was given as parts."""
        wire: dict[str, Any] = {"role": self.role}
        content = list(self.parts) if self.parts is not None else self.body
        if content is not None:
            wire["content"] = content
        optional = {
            "name": self.name, "tool_calls": list(self.tool_calls), "tool_call_id": self.tool_call_id,
            "reasoning_content": self.reasoning,
        }  # fmt: skip
        return wire | {key: value for key, value in optional.items() if value}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return all(getattr(self, field) == getattr(other, field) for field in _FIELDS)

    __hash__ = None  # type: ignore[assignment]  # parts and calls are JSON values, which have no hash

    def __repr__(self) -> str:
        shown = (f"{field}={getattr(self, field)!r}" for field in _FIELDS[2:] if getattr(self, field))
        return f"Message({self.role!r}, {', '.join(shown)})"
