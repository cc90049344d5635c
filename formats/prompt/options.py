"""What one render asks for, beside the format and the messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from formats.prompt.errors import Fault, MessageError

Policy = Literal["keep", "escape", "reject"]
KEEP: Final[Policy] = "keep"

_NAMES: Final[Mapping[str, str]] = {
    "bos": "bos", "specialTokenPolicy": "special_token_policy", "special_token_policy": "special_token_policy",
    "thinking": "thinking", "strict": "strict", "now": "now", "speaker": "speaker",
    "fillerUser": "filler_user", "filler_user": "filler_user",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RenderSettings:
    """Everything `render` was told. `speaker` is who talks next, for formats that write names.

    `filler_user` replaces the format's own filler text, where macros in it were expanded.
    """

    tools: Sequence[Any] = ()
    skills: Sequence[Any] = ()
    add_generation_prompt: bool = True
    continue_final_message: bool = False
    prefill: str = ""
    bos: Literal["keep", "omit"] = "keep"
    special_token_policy: Policy = KEEP
    thinking: bool | None = None
    strict: bool = False
    now: datetime | str | None = None
    speaker: str | None = None
    filler_user: str | None = None


def read_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments for RenderSettings; MessageError for an unknown or wrong option."""
    read: dict[str, Any] = {}
    faults: list[Fault] = []
    for key, value in options.items():
        name = _NAMES.get(key)
        if name is None:
            faults.append(Fault(f"options.{key}", f"unknown option; known are {', '.join(sorted(set(_NAMES)))}"))
        elif name in read:
            faults.append(Fault(f"options.{key}", "is given in two spellings"))
        else:
            read[name] = value
            if (wrong := _wrong(name, value)) is not None:
                faults.append(Fault(f"options.{key}", wrong))
    if faults:
        raise MessageError(faults)
    return {name: value for name, value in read.items() if value is not None}


def _wrong(name: str, value: Any) -> str | None:
    if value is None:
        return None
    if name == "bos":
        return None if value in ("keep", "omit") else "must be `keep` or `omit`"
    if name == "special_token_policy":
        return None if value in ("keep", "escape", "reject") else "must be `keep`, `escape` or `reject`"
    if name in ("thinking", "strict"):
        return None if isinstance(value, bool) else "must be true or false"
    if name == "now":
        return None if isinstance(value, str | datetime) else "must be a date and time"
    return None if isinstance(value, str) else "must be a string"
