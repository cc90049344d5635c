"""Facts about a turn's place that templates may ask for: neighbours, ends, what the request holds, the date.

A layout that depends on them is still data: `{{#if last}}`, `{{#if (eq previous "tool")}}`. A template that asks for
none costs nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from formats.prompt.errors import Fault, MessageError
from formats.prompt.turns import Turn

if TYPE_CHECKING:
    from formats.prompt.plan import Plan
    from formats.prompt.sections import Processor

FACTS: Final = (
    "first", "last", "index", "previous", "next", "afterLastUser", "hasTools", "hasSkills", "hasSystem", "given",
    "thinking", "generate", "date",
)  # fmt: skip
"""`first`, `last`: of all turns. `index` counts turns from 0, a system turn at the start left out. `previous`, `next`:
the neighbour's role, empty at the ends. `afterLastUser`: no user turn follows. `hasSystem`: the conversation has a
system text. `given`: the turn comes from a message, not from the format. `thinking`: true, false or null. `generate`: a
generation prompt is asked for."""

DATE_FORMAT: Final = "%d %b %Y"
DATE_HEADER: Final = "Today Date: {{date}}\n\n"


def turn_facts(plan: Plan, turns: Sequence[Turn], at: int) -> dict[str, Any]:
    """The facts of turn `at`."""
    settings, turn = plan.settings, turns[at]
    roles = [one.role for one in turns]
    led = 1 if roles[:1] == ["system"] else 0
    return {
        "first": at == 0,
        "last": at == len(turns) - 1,
        "index": at - led,
        "previous": roles[at - 1] if at else "",
        "next": roles[at + 1] if at + 1 < len(turns) else "",
        "afterLastUser": "user" not in roles[at + 1 :] and turn.role != "user",
        "given": turn.index is not None,
        "generate": settings.add_generation_prompt and not settings.continue_final_message,
        **request_facts(plan),
    }


def request_facts(plan: Plan) -> dict[str, Any]:
    """What holds for every turn."""
    settings = plan.settings
    return {
        "hasTools": bool(settings.tools),
        "hasSkills": bool(settings.skills),
        "hasSystem": plan.has_system,
        "thinking": settings.thinking,
        "date": plan.date,
    }


def date_text(plan: Plan) -> str:
    """The date as the format's `date` or `date_header` processor writes it; empty for a format without one."""
    processor = next((one for one in plan.compiled.format.processors if one.name in ("date", "date_header")), None)
    if processor is None:
        return ""
    now = _moment(plan.settings.now)
    if now is None:
        default = _parameter(processor, "default", "")
        if not default:
            plan.note("warning", "DATE_UNKNOWN", "The format prints a date, and the render was given none.", "now")
        return default
    return now.strftime(_parameter(processor, "format", DATE_FORMAT))


def date_header(plan: Plan) -> str:
    """What `date_header` puts before the system text."""
    processor = next((one for one in plan.compiled.format.processors if one.name == "date_header"), None)
    if processor is None:
        return ""
    return _parameter(processor, "text", DATE_HEADER).replace("{{date}}", plan.date)


def _parameter(processor: Processor, name: str, default: str) -> str:
    extra: Mapping[str, Any] = processor.model_extra or {}
    value = extra.get(name, default)
    return value if isinstance(value, str) else default


def _moment(now: datetime | str | None) -> date | None:
    if now is None or isinstance(now, datetime):
        return now
    try:
        return datetime.fromisoformat(now)
    except ValueError as error:
        raise MessageError(Fault("options.now", f"is no date and time: {now!r}")) from error
