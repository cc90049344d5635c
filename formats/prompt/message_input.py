"""Reading one message of the wire: OpenAI's shape, both spellings, role names folded, every fault located."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from formats.prompt.errors import Fault, MessageError, join_path

ROLES: Final = ("system", "user", "assistant", "tool")

# contract, decision 8: the names other tools use for our four roles
ROLE_ALIASES: Final[Mapping[str, str]] = {
    "function": "tool", "developer": "system", "human": "user", "gpt": "assistant", "model": "assistant",
}  # fmt: skip

# wire name → (attribute, reader); our own spelling and the camelCase one are both accepted
_Reader = Callable[[Any, str, list[Fault]], Any]
PART_TEXT: Final = frozenset({"text", "input_text", "output_text"})


def read_message(value: Any, path: str) -> dict[str, Any]:
    """Keyword arguments for `Message`; raises MessageError with every fault."""
    if not isinstance(value, Mapping):
        raise MessageError(Fault(path, f"a message must be an object, not {_kind(value)}"))
    faults: list[Fault] = []
    notes: list[tuple[str, str, str]] = []
    role = _read_role(value.get("role"), path, faults, notes)
    read: dict[str, Any] = {"role": role}
    _read_content(value.get("content"), path, read, faults)
    if len(value) > 2 or "content" not in value:
        _read_optional(value, path, read, faults, notes)
    if value.get("content") is None and not (read.get("tool_calls") or read.get("reasoning")):
        faults.append(Fault(join_path(path, "content"), "is required"))
    if faults:
        raise MessageError(faults)
    if notes:
        read["notes"] = tuple(notes)
    return read


def _read_role(value: Any, path: str, faults: list[Fault], notes: list[tuple[str, str, str]]) -> str | None:
    if value in ROLES and isinstance(value, str):
        return value
    where = join_path(path, "role")
    if not isinstance(value, str):
        faults.append(Fault(where, "is required" if value is None else f"must be a string, not {_kind(value)}"))
        return None
    folded = value.strip().casefold()
    role = ROLE_ALIASES.get(folded, folded)
    if role not in ROLES:
        faults.append(Fault(where, f"unknown role {value!r}; known are {', '.join(ROLES)}"))
        return None
    notes.append(("ROLE_ALIAS", "role", f"The role {value!r} was read as {role!r}."))
    return role


def _read_content(value: Any, path: str, read: dict[str, Any], faults: list[Fault]) -> None:
    if isinstance(value, str):
        read["text"] = value
    elif isinstance(value, list | tuple):
        read["parts"] = tuple(
            _read_part(part, join_path(path, f"content[{n}]"), faults) for n, part in enumerate(value)
        )
    elif value is not None:
        faults.append(Fault(join_path(path, "content"), f"must be a string or an array of parts, not {_kind(value)}"))


def _read_part(part: Any, path: str, faults: list[Fault]) -> dict[str, Any]:
    if not isinstance(part, Mapping):
        faults.append(Fault(path, f"a part must be an object, not {_kind(part)}"))
        return {}
    kind = part.get("type")
    if not isinstance(kind, str):
        faults.append(Fault(f"{path}.type", "is required"))
    elif kind in PART_TEXT:
        if not isinstance(part.get("text"), str):
            faults.append(Fault(f"{path}.text", "must be a string"))
        return {**part, "type": "text"}
    return dict(part)


def _read_optional(
    value: Mapping[str, Any], path: str, read: dict[str, Any], faults: list[Fault], notes: list[tuple[str, str, str]]
) -> None:
    spelled: dict[str, str] = {}
    for key, given in value.items():
        if key in ("role", "content"):
            continue
        if key not in _OPTIONAL:
            notes.append(
                ("UNKNOWN_FIELD", str(key), f"The field {key!r} of a message means nothing here and is left out.")
            )
            continue
        attribute, reader = _OPTIONAL[key]
        if attribute in spelled:
            faults.append(Fault(join_path(path, key), f"is given twice, as {spelled[attribute]!r} and as {key!r}"))
        spelled[attribute] = key
        if given is not None:
            read[attribute] = reader(given, join_path(path, key), faults)


def _text(value: Any, path: str, faults: list[Fault]) -> str | None:
    if isinstance(value, str):
        return value
    faults.append(Fault(path, f"must be a string, not {_kind(value)}"))
    return None


def _flag(value: Any, path: str, faults: list[Fault]) -> bool:
    if not isinstance(value, bool):
        faults.append(Fault(path, f"must be true or false, not {_kind(value)}"))
    return bool(value)


def _object(value: Any, path: str, faults: list[Fault]) -> Any:
    if not isinstance(value, Mapping):
        faults.append(Fault(path, f"must be an object, not {_kind(value)}"))
    return value


def _tool_calls(value: Any, path: str, faults: list[Fault]) -> tuple[dict[str, Any], ...]:
    if not isinstance(value, list | tuple):
        faults.append(Fault(path, f"must be an array, not {_kind(value)}"))
        return ()
    return tuple(_tool_call(call, f"{path}[{index}]", faults) for index, call in enumerate(value))


def _tool_call(call: Any, path: str, faults: list[Fault]) -> dict[str, Any]:
    """OpenAI's `{id, type, function: {name, arguments}}`, or the bare `{name, arguments}` that templates use."""
    if not isinstance(call, Mapping):
        faults.append(Fault(path, f"a tool call must be an object, not {_kind(call)}"))
        return {}
    function = call.get("function", call)
    where = f"{path}.function" if "function" in call else path
    if not isinstance(function, Mapping):
        faults.append(Fault(where, f"must be an object, not {_kind(function)}"))
    elif not isinstance(function.get("name"), str):
        faults.append(Fault(f"{where}.name", "must be a string"))
    elif not isinstance(function.get("arguments", ""), str | Mapping):
        faults.append(Fault(f"{where}.arguments", "must be an object or its JSON text"))
    if not isinstance(call.get("id", ""), str):
        faults.append(Fault(f"{path}.id", "must be a string"))
    return dict(call)


def _kind(value: Any) -> str:
    """The JSON name of a value's type."""
    if value is None:
        return "null"
    names = {
        bool: "a boolean",
        int: "a number",
        float: "a number",
        str: "a string",
        list: "an array",
        dict: "an object",
    }
    return names.get(type(value), type(value).__name__)


_OPTIONAL: Final[Mapping[str, tuple[str, _Reader]]] = {
    "id": ("id", _text),
    "name": ("name", _text),
    "tool_calls": ("tool_calls", _tool_calls),
    "toolCalls": ("tool_calls", _tool_calls),
    "tool_call_id": ("tool_call_id", _text),
    "toolCallId": ("tool_call_id", _text),
    "reasoning_content": ("reasoning", _text),
    "reasoningContent": ("reasoning", _text),
    "reasoning": ("reasoning", _text),
    "pinned": ("pinned", _flag),
    "excluded": ("excluded", _flag),
    "origin": ("origin", _text),
    "meta": ("meta", _object),
}
