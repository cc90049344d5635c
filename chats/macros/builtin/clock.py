"""Time and date of the render, in the scope's zone. Names of days and months are English on every machine."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

from chats.macros.builtin.moments import formatted, humanized
from chats.macros.call import Call, Macro, Run

OFFSET = re.compile(r"(?:UTC)?(?P<sign>[+-])?(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?", re.ASCII | re.IGNORECASE)


def _shown(format_: str) -> Run:
    return _of(lambda now: formatted(now, format_))


def _of(show: Callable[[datetime], str]) -> Run:
    def run(call: Call) -> str | None:
        now = call.scope.moment
        return show(now) if now else None

    return run


def _is_night(now: datetime) -> str:
    return "true" if now.hour >= 22 or now.hour < 6 else "false"


def _time(call: Call) -> str | None:
    """`{{time}}`, `{{time::UTC+2}}` and `{{time_UTC+2}}`."""
    now = call.scope.moment
    if now is None or not call.arguments:
        return formatted(now, "HH:mm") if now else None
    match = OFFSET.fullmatch(call.arguments[0].strip())
    if match is None:
        return None
    offset = timedelta(hours=int(match["hours"]), minutes=int(match["minutes"] or 0))
    if offset >= timedelta(days=1):
        return None
    return formatted(now.astimezone(timezone(-offset if match["sign"] == "-" else offset)), "HH:mm")


def _format(call: Call) -> str | None:
    now = call.scope.moment
    return formatted(now, "::".join(call.arguments)) if now else None


def _difference(call: Call) -> str | None:
    first, second = (_parsed(argument, call) for argument in call.arguments)
    return humanized(first - second) if first and second else None


def _idle(call: Call) -> str | None:
    now, last = call.scope.moment, call.scope.last_user_at
    return humanized(abs(now - last), suffix=False) if now and last else None


def _parsed(written: str, call: Call) -> datetime | None:
    """Return an ISO date or time; without a zone it is one of the scope's."""
    try:
        time = datetime.fromisoformat(written.strip())
    except ValueError:
        return None
    now = call.scope.moment
    return time if time.tzinfo else time.replace(tzinfo=now.tzinfo if now and now.tzinfo else UTC)


MACROS = {
    "time": Macro(_time, 0, 1, steady=True),
    "time_utc": Macro(_time, 1, 1),
    "date": Macro(_shown("YYYY-MM-DD"), steady=True),
    "datetime": Macro(_shown("YYYY-MM-DD HH:mm"), steady=True),
    "year": Macro(_shown("YYYY"), steady=True),
    "month": Macro(_shown("MM"), steady=True),
    "day": Macro(_shown("DD"), steady=True),
    "hour": Macro(_shown("HH"), steady=True),
    "minute": Macro(_shown("mm"), steady=True),
    "weekday": Macro(_shown("dddd"), steady=True),
    "isnight": Macro(_of(_is_night), steady=True),
    "isotime": Macro(_shown("HH:mm"), steady=True),
    "isodate": Macro(_shown("YYYY-MM-DD"), steady=True),
    "datetimeformat": Macro(_format, 1, None),
    "timediff": Macro(_difference, 2, 2),
    "idleduration": Macro(_idle, steady=True),
    "idle_duration": Macro(_idle, steady=True),
}
