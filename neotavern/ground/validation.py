"""Turns pydantic's faults into the one refusal that operations, batch lines and commands share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from neotavern.ground.errors import AppError, Detail, ErrorCode


def validation_refusal(faults: Iterable[Mapping[str, Any]]) -> AppError:
    """Return VALIDATION with every fault of `faults` (pydantic's `errors()`), the first one in its message."""
    details = [Detail(path=path_of(fault["loc"]), message=sentence(fault)) for fault in faults]
    first = details[0]
    where = f"{first.path}: " if first.path else ""
    more = f" ({len(details) - 1} more)" if len(details) > 1 else ""
    return AppError(ErrorCode.VALIDATION, f"{where}{first.message}{more}", details=details)


def path_of(location: Sequence[str | int]) -> str:
    """Return pydantic's location as the contract's path: `messages[3].content`."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


_WORDS = {
    "extra_forbidden": "This field is unknown.",
    "missing": "This field is required.",
    "model_type": "This must be an object.",
    "model_attributes_type": "This must be an object.",
    "dict_type": "This must be an object.",
    "list_type": "This must be an array.",
    "string_type": "This must be a string.",
    "bool_type": "This must be true or false.",
    "int_type": "This must be a whole number.",
}
"""pydantic speaks of dictionaries and inputs; a caller knows JSON."""


def sentence(fault: Mapping[str, Any]) -> str:
    """Return pydantic's message as a sentence."""
    if (words := _WORDS.get(fault.get("type", ""))) is not None:
        return words
    message = str(fault["msg"]).removeprefix("Value error, ")
    return message[:1].upper() + message[1:] + ("" if message.endswith(".") else ".")
