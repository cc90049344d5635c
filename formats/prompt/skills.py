"""Skills as text: name and description, in the system turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from formats.prompt.errors import Fault, MessageError
from formats.prompt.fill import fill, join_segments
from formats.prompt.segments import Segment
from formats.prompt.special_tokens import Guard
from formats.prompt.turns import content

if TYPE_CHECKING:
    from formats.prompt.compiled import CompiledFormat


def skills_section(
    compiled: CompiledFormat, skills: Sequence[Any], guard: Guard, request: Mapping[str, Any]
) -> list[Segment]:
    """The finished `skills` string; `request` are the facts that its section may ask for."""
    if not skills:
        return []
    frame = compiled.frame("skills.item")
    items = [fill(frame, _values(guard, skill, f"skills[{at}]")) for at, skill in enumerate(skills)]
    joined = join_segments(items, compiled.skills.joiner, "skills.joiner")
    return fill(compiled.frame("skills.section"), {"skills": joined}, request)


def _values(guard: Guard, skill: Any, path: str) -> dict[str, list[Segment]]:
    values = {}
    for field in ("name", "description"):
        value = skill.get(field) if isinstance(skill, Mapping) else getattr(skill, field, None)
        if not isinstance(value, str | None) or (field == "name" and value is None):
            raise MessageError(Fault(f"{path}.{field}", "must be a string"))
        values[field] = [content(guard(value or "", path), "skills")]
    return values
