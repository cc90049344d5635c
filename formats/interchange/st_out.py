"""Formats as SillyTavern's instruct templates, alone or in a master export."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from formats.interchange.framing import NAME, Frame, frame_of, unsaid
from formats.interchange.reading import Loss, Written
from formats.prompt import InstructFormat

JSON: Final = "application/json"
REASON: Final = "has no place in an instruct template"
SAID: Final = (
    "system", "user", "assistant", "eos", "separator", "promptSuffix", "stopStrings", "systemPolicy", "variants",
    "names", "alternation", "fillerUser", "mergeSeparator", "tool", "bos",
)  # fmt: skip
_NAMES: Final = {"prefix": "always", "none": "none", "template": "none"}


def write_instruct(fmt: InstructFormat) -> Written:
    """Return an instruct template as SillyTavern writes them since August 2025."""
    template, losses = _instruct(fmt)
    return Written(_json(template), "json", tuple(losses), JSON)


def write_master(fmt: InstructFormat) -> Written:
    """Return a master export: the template, the default system text and the reasoning's marks."""
    template, losses = _instruct(fmt)
    sections: dict[str, Any] = {"instruct": template}
    if fmt.default_system is not None:
        sections["sysprompt"] = {"name": fmt.name, "content": fmt.default_system, "post_history": ""}
    if fmt.reasoning is not None:
        reasoning = {"prefix": fmt.reasoning.start, "suffix": fmt.reasoning.end, "separator": ""}
        sections["reasoning"] = {"name": fmt.name, **reasoning}
    kept = {"defaultSystem"} | ({"reasoning"} if fmt.reasoning is not None else set())
    rest = tuple(loss for loss in losses if loss.path not in kept)
    return Written(_json(sections), "json", rest, JSON)


def _instruct(fmt: InstructFormat) -> tuple[dict[str, Any], list[Loss]]:
    losses: list[Loss] = []
    frames = {role: _frame(fmt, role, role, losses) for role in ("system", "user", "assistant")}
    user, reply, system = frames["user"], frames["assistant"], frames["system"]
    separator, as_user = fmt.separator, fmt.system_policy.later == "as_user"
    template = {
        "name": fmt.name,
        "input_sequence": user.before,
        "input_suffix": user.after + separator,
        "output_sequence": reply.before,
        "output_suffix": reply.after + fmt.eos + separator,
        "system_sequence": system.before,
        "system_suffix": system.after + separator,
        "first_input_sequence": _variant(fmt, "firstUser", user, losses),
        "last_input_sequence": _variant(fmt, "lastUser", user, losses),
        "first_output_sequence": _variant(fmt, "firstAssistant", reply, losses),
        "last_output_sequence": fmt.prompt_suffix if fmt.prompt_suffix != reply.before else "",
        "last_system_sequence": "",
        "stop_sequence": "\n".join(_stops(fmt, losses)),
        "wrap": False,
        "macro": any(NAME in text for frame in frames.values() for text in frame[:2]),
        "names_behavior": _NAMES[fmt.names],
        "activation_regex": "",
        "skip_examples": False,
        "user_alignment_message": fmt.filler_user if fmt.alternation == "filler" else "",
        "system_same_as_user": as_user,
        "sequences_as_stop_strings": False,
        "story_string_prefix": system.before,
        "story_string_suffix": system.after + separator,
    }
    _note(fmt, template, losses)
    losses += unsaid(fmt, SAID, REASON)
    return {key: _named(value) for key, value in template.items()}, losses


def _note(fmt: InstructFormat, template: Mapping[str, Any], losses: list[Loss]) -> None:
    if not fmt.prompt_suffix and template["output_sequence"]:
        losses.append(Loss("promptSuffix", "an empty one can not be said: the reply is asked for by its sequence"))
    if template["macro"] and any("{{" in value for value in template.values() if isinstance(value, str)):
        losses.append(Loss("user", "braces are macros there, for names stand in the sequences"))
    other = fmt.compiled.frame("user" if fmt.system_policy.later == "as_user" else "system").template.source
    if fmt.compiled.frame("tool").template.source != other or fmt.tool_results is not None:
        losses.append(Loss("tool", "there is no such role: a tool's result is a system message"))
    if fmt.bos:
        losses.append(Loss("bos", "is left to the back end, as SillyTavern's own templates leave it"))
    if fmt.alternation in ("merge", "error"):
        losses.append(Loss("alternation", REASON))
    if fmt.system_policy.first != "block" or fmt.system_policy.later not in ("block", "as_user"):
        losses.append(Loss("systemPolicy", "system texts have turns of their own there"))


def _frame(fmt: InstructFormat, path: str, role: str, losses: list[Loss]) -> Frame:
    frame = frame_of(fmt, path, role)
    if not frame.exact:
        losses.append(Loss(path, "is written as in an ordinary turn; what it decides has no place"))
    return frame


def _variant(fmt: InstructFormat, name: str, plain: Frame, losses: list[Loss]) -> str:
    """The sequence of a turn in a special place; its suffix can not differ."""
    path = f"variants.{name}"
    if path not in fmt.compiled.frames:
        return ""
    frame = _frame(fmt, path, "user" if name.endswith("User") else "assistant", losses)
    if frame.after != plain.after:
        losses.append(Loss(path, "only what stands before the text can differ"))
    return frame.before if frame.before != plain.before else ""


def _stops(fmt: InstructFormat, losses: list[Loss]) -> list[str]:
    """Stop strings as lines of one field: one that holds a line end, or nothing but blanks, can not be said."""
    kept = [stop for stop in fmt.stop_strings if "\n" not in stop and stop.strip()]
    losses += [
        Loss(f"stopStrings[{at}]", "has a line end or only blanks")
        for at, stop in enumerate(fmt.stop_strings)
        if stop not in kept
    ]
    return kept


def _named(value: Any) -> Any:
    return value.replace(NAME, "{{name}}") if isinstance(value, str) else value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=4) + "\n"


WRITERS: Final[Mapping[str, Callable[[InstructFormat], Written]]] = {
    "sillytavern": write_instruct,
    "sillytavern-master": write_master,
}
