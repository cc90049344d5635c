"""Formats as chat_bricks template documents."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from formats.interchange.framing import NAME, Place, frame_of, item_frame, place_of, unsaid
from formats.interchange.reading import Loss, Written
from formats.interchange.slots import Slot, written
from formats.prompt import InstructFormat

REASON: Final = "has no place in a chat_bricks template"
SAID: Final = (
    "system", "user", "assistant", "tool", "prefix", "bos", "eos", "promptSuffix", "stopStrings", "defaultSystem",
    "systemPolicy", "tools", "toolCalls", "toolResults", "skills", "vision", "chatTemplate", "names",
)  # fmt: skip
_FORMATTERS: Final = {
    "json": "JsonFormatter", "json_indented": "JsonIndentedFormatter", "json_compact": "JsonCompactFormatter",
    "json_minified": "JsonMinifiedFormatter", "yaml": "YamlFormatter",
}  # fmt: skip

_SLOTS: Final = {
    "toolCalls": "tool_calls",
    "toolCall": "tool_call",
    "toolResults": "observations",
    "content": "observation",
}


def write_template(fmt: InstructFormat) -> Written:
    """Return a template document; chat_bricks itself wants its fields as arguments of `Template`."""
    made, losses = template_of(fmt)
    return Written(json.dumps(made, ensure_ascii=False, indent=2) + "\n", "json", tuple(losses), "application/json")


def template_of(fmt: InstructFormat) -> tuple[dict[str, Any], list[Loss]]:
    """Return the fields of the template, and what it does not say."""
    return _Template(fmt).result()


class _Template:
    def __init__(self, fmt: InstructFormat) -> None:
        self.fmt = fmt
        self.losses: list[Loss] = []

    def result(self) -> tuple[dict[str, Any], list[Loss]]:
        fmt = self.fmt
        made: dict[str, Any] = {"name": fmt.id}
        if fmt.chat_template is not None:
            return self._jinja(made)
        made |= {
            "system_template": self._slotted(
                "system", {"content": "system_message", "tools": "tools", "skills": "skills"}
            ),
            "system_message": fmt.default_system or "",
            "user_template": self._slotted("user", {"content": "content"}),
            "assistant_template": self._slotted(
                "assistant", {"content": "content", "toolCalls": "tool_calls"}, fmt.eos
            ),
            "generation_prompt": fmt.prompt_suffix,
            "stop_words": list(fmt.stop_strings),
            **self._results(),
            **self._calls(),
            **self._tools(),
            **self._skills(),
            **self._vision(),
            "system_policy": {
                "use_system": fmt.system_policy.first != "drop",
                "use_system_without_system_message": fmt.default_system is not None,
            },
        }
        if fmt.prefix or fmt.bos:
            made["global_policy"] = {"prefix": fmt.prefix + fmt.bos}
        policy = fmt.system_policy
        if policy.first not in ("block", "drop") or policy.later != "block" or policy.wrap is not None:
            self.losses.append(Loss("systemPolicy", "a system text has a turn of its own there"))
        if fmt.names == "prefix":
            self.losses.append(Loss("names", REASON))
        return made, [*dict.fromkeys(self.losses), *unsaid(fmt, SAID, REASON)]

    def _jinja(self, made: dict[str, Any]) -> tuple[dict[str, Any], list[Loss]]:
        """A template that its Jinja renders: the role templates are not given, so that nothing else does."""
        fmt = self.fmt
        made |= {"chat_template": fmt.chat_template, "user_template": None, "assistant_template": None}
        made |= {"system_message": fmt.default_system or "", "stop_words": list(fmt.stop_strings)}
        if fmt.prefix:
            made["global_policy"] = {"prefix": fmt.prefix}
        said = ("chatTemplate", "defaultSystem", "stopStrings", "prefix", "system", "user", "assistant", "tool")
        return made, unsaid(fmt, said, REASON)

    def _slotted(self, role: str, slots: Mapping[str, str], closing: str = "") -> str:
        """The template of a role with its slots."""
        frame = frame_of(self.fmt, role, role)
        places = {name: place_of(self.fmt, role, role, name) for name in slots if name != "content"}
        before = [place for place in places.items() if place[1] is not None and not place[1].is_behind]
        behind = [place for place in places.items() if place[1] is not None and place[1].is_behind]
        lost = [name for name, place in places.items() if place is None and self.fmt.compiled.frame(role).uses(name)]
        if not frame.exact or lost or NAME in frame.before + frame.after:
            self.losses.append(Loss(role, "is written as in an ordinary turn; what it decides has no place"))
        parts = [
            *self._cut(frame.before, before, slots),
            Slot(slots["content"]),
            *self._cut(frame.after, behind, slots),
        ]
        return written([*parts, closing] if closing else parts)

    def _cut(self, text: str, places: list[tuple[str, Place | None]], slots: Mapping[str, str]) -> list[str | Slot]:
        parts: list[str | Slot] = []
        at = 0
        for name, place in sorted(places, key=lambda one: one[1].offset if one[1] else 0):
            if place is not None:
                parts += [text[at : place.offset].replace(NAME, ""), Slot(slots[name])]
                at = place.offset
        return [part for part in (*parts, text[at:].replace(NAME, "")) if part]

    def _around(self, path: str, variable: str, place: Place | None) -> str | None:
        """A section with its slot, and what the role's template puts around it when it is there."""
        frame = item_frame(self.fmt, path, variable)
        if not frame.exact:
            self.losses.append(Loss(path, REASON))
        outer = ("", "") if place is None else (place.before, place.after)
        slot = _SLOTS.get(variable, variable)
        return written([outer[0] + frame.before, Slot(slot), frame.after + outer[1]])

    def _results(self) -> dict[str, Any]:
        fmt = self.fmt
        frame = frame_of(fmt, "tool", "tool")
        if not frame.exact:
            self.losses.append(Loss("tool", REASON))
        place = Place(0, False, frame.before, frame.after)
        if fmt.tool_results is None:
            # A frame of its own for each result, and nothing around a run of them.
            single = written([part for part in (frame.before, Slot("observation"), frame.after) if part])
            return {"observations_template": "{observations}", "single_observation_template": single}
        if fmt.tool_results.joiner:
            self.losses.append(Loss("toolResults.joiner", "results stand without anything between them"))
        return {
            "observations_template": self._around("toolResults.section", "toolResults", place),
            "single_observation_template": self._around("toolResults.item", "content", None),
        }

    def _calls(self) -> dict[str, Any]:
        fmt = self.fmt
        place = place_of(fmt, "assistant", "assistant", "toolCalls")
        if fmt.tool_calls is None and place is None:
            return {}
        if fmt.compiled.tool_calls.joiner:
            self.losses.append(Loss("toolCalls.joiner", "calls stand without anything between them"))
        return {
            "tool_calls_template": self._around("toolCalls.section", "toolCalls", place),
            "single_tool_call_template": self._around("toolCalls.item", "toolCall", None),
        }

    def _tools(self) -> dict[str, Any]:
        fmt, spec = self.fmt, self.fmt.compiled.tools
        if fmt.tools is None and not fmt.compiled.frame("system").uses("tools"):
            return {}
        made: dict[str, Any] = {
            "tools_template": self._around("tools.section", "tools", place_of(fmt, "system", "system", "tools"))
        }
        item = self._around("tools.item", "tool", None)
        if item != "{tool}":
            made["single_tool_template"] = item
            if spec.joiner:
                self.losses.append(
                    Loss("tools.joiner", "tools with a template each stand without anything between them")
                )
        if spec.user_with is not None:
            if fmt.compiled.frame("tools.userWith").uses("tools"):
                made["user_template_with_tools"] = self._user_with()
        elif spec.placement in ("first_user", "last_user"):
            self.losses.append(Loss("tools.placement", "the user's turn has no template with tools"))
        if spec.format not in _FORMATTERS:
            self.losses.append(Loss("tools.format", REASON))
        formatter = {"class": _FORMATTERS.get(spec.format, "JsonFormatter"), "joiner": spec.joiner,
                     "format_as_list": spec.as_list, "indent": spec.indent}  # fmt: skip
        made["tool_policy"] = {"placement": spec.placement.upper(), "formatter": formatter}
        return made

    def _user_with(self) -> str:
        place = place_of(self.fmt, "tools.userWith", "user", "tools")
        frame = frame_of(self.fmt, "tools.userWith", "user")
        slots = {"content": "content", "tools": "tools"}
        if place is None:
            self.losses.append(Loss("tools.userWith", REASON))
            return written([frame.before, Slot("content"), frame.after])
        wrapped = Slot("tools")
        cut = frame.after if place.is_behind else frame.before
        sides: list[str | Slot] = [cut[: place.offset] + place.before, wrapped, place.after + cut[place.offset :]]
        parts = (
            [frame.before, Slot(slots["content"]), *sides]
            if place.is_behind
            else [*sides, Slot("content"), frame.after]
        )
        return written([part for part in parts if part])

    def _skills(self) -> dict[str, Any]:
        fmt = self.fmt
        place = place_of(fmt, "system", "system", "skills")
        if fmt.skills is None and place is None:
            return {}
        item = fmt.compiled.frame("skills.item").template
        text = item.render({"name": NAME, "description": "\ue004"})
        parts: list[str | Slot] = []
        for at, piece in enumerate(text.split(NAME)):
            inner = piece.split("\ue004")
            if at:
                parts.append(Slot("name"))
            for number, rest in enumerate(inner):
                if number:
                    parts.append(Slot("description"))
                if rest:
                    parts.append(rest)
        return {
            "skills_template": self._around("skills.section", "skills", place),
            "single_skill_template": written(parts),
            "skill_policy": {"joiner": fmt.compiled.skills.joiner},
        }

    def _vision(self) -> dict[str, Any]:
        vision = self.fmt.vision
        if vision is None:
            return {}
        plain = type(vision)(
            start=vision.start, end=vision.end, image_token=vision.image_token, video_token=vision.video_token
        )
        if plain != vision:
            self.losses.append(Loss("vision", "only the tokens of pictures and films have a place"))
        made = {"vision_start": vision.start, "vision_end": vision.end, "image_token": vision.image_token}
        return made | ({"video_token": vision.video_token} if vision.video_token is not None else {})


WRITERS: Final[Mapping[str, Callable[[InstructFormat], Written]]] = {"chat_bricks": write_template}
