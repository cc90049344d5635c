"""Formats as KoboldCpp adapters."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final

from formats.interchange.framing import NAME, frame_of, unsaid
from formats.interchange.reading import Loss, Written
from formats.prompt import InstructFormat

SAID: Final = ("system", "user", "assistant", "tool", "eos", "separator", "promptSuffix", "names")
_KEYS: Final = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tools"}


def write_adapter(fmt: InstructFormat) -> Written:
    """Return an adapter: the text before and after each role's."""
    losses: list[Loss] = []
    adapter: dict[str, str] = {}
    for role, key in _KEYS.items():
        frame = frame_of(fmt, role, role)
        if not frame.exact or NAME in frame.before + frame.after:
            losses.append(Loss(role, "is written as in an ordinary turn; what it decides has no place"))
        closing = fmt.eos if role == "assistant" else ""
        adapter[f"{key}_start"] = frame.before.replace(NAME, "")
        adapter[f"{key}_end"] = (frame.after + closing + fmt.separator).replace(NAME, "")
    if fmt.prompt_suffix != adapter["assistant_start"]:
        adapter["assistant_gen"] = fmt.prompt_suffix
    if fmt.names == "prefix":
        losses.append(Loss("names", "has no place in an adapter"))
    losses += unsaid(fmt, SAID, "has no place in an adapter")
    return Written(json.dumps(adapter, ensure_ascii=False, indent=2) + "\n", "json", tuple(losses), "application/json")


WRITERS: Final[Mapping[str, Callable[[InstructFormat], Written]]] = {"koboldcpp": write_adapter}
