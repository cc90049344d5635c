"""Facts about a turn's place that templates may ask for: neighbours, ends, what the request holds, the date.

A layout that depends on them is still data: `{{#if last}}`, `{{#if (eq previous "tool")}}`. A template that asks for
none costs nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from formats.prompt.errors import Fault, MessageError
from formats.prompt.turns import Turn

if TYPE_CHECKING:
    from formats.prompt.plan import Plan
    from formats.prompt.sections import Processor

FACTS: Final = (
    "first", "last", "index", "previous", "next", "afterLastUser", "answered", "given",
    "generate",
    "hasTools", "hasSkills", "hasSystem", "hasMedia", "thinking", "date",
)  # fmt: skip
"""`first`, `last`: of all turns. `index` counts turns from 0, a system turn at the start left out. `previous`, `next`:
the neighbour's role, empty at the ends. `afterLastUser`: no user turn follows. `answered`: here or later stands an
assistant turn without calls. `given`: the turn comes from a message, not from the format. `generate`: a generation
prompt is asked for. `hasSystem`: the conversation has a system text, `hasMedia` pictures, films or sounds. `thinking`:
true, false or null."""

DATE_FORMAT: Final = "%d %b %Y"
DATE_HEADER: Final = "Today Date: {{date}}\n\n"


class Places:
    """The facts of every turn of a conversation, each found without looking at all the others."""

    def __init__(self, plan: Plan, turns: Sequence[Turn]) -> None:
        self.plan = plan
        self.turns = turns
        self.led = 1 if turns and turns[0].role == "system" else 0
        self.last_user = _last(turns, lambda turn: turn.role == "user")
        self.last_answer = _last(turns, lambda turn: turn.role == "assistant" and not turn.tool_calls)
        self.request = request_facts(plan)

    def of(self, at: int) -> dict[str, Any]:
        """The facts of turn `at`."""
        settings, turns = self.plan.settings, self.turns
        return {
            "first": at == 0,
            "last": at == len(turns) - 1,
            "index": at - self.led,
            "previous": turns[at - 1].role if at else "",
            "next": turns[at + 1].role if at + 1 < len(turns) else "",
            "afterLastUser": at > self.last_user,
            "answered": at <= self.last_answer,
            "given": turns[at].index is not None,
            "generate": settings.add_generation_prompt and not settings.continue_final_message,
            **self.request,
        }


def _last(turns: Sequence[Turn], wanted: Callable[[Turn], bool]) -> int:
    return next((at for at in range(len(turns) - 1, -1, -1) if wanted(turns[at])), -1)


def request_facts(plan: Plan) -> dict[str, Any]:
    """What holds for every turn."""
    settings = plan.settings
    return {
        "hasTools": bool(settings.tools),
        "hasSkills": bool(settings.skills),
        "hasSystem": plan.has_system,
        "hasMedia": bool(plan.media),
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
