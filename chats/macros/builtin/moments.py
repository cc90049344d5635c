"""Dates by moment.js's format letters, and how long it is, in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
TOKEN = re.compile(r"\[([^\[\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|Do|DDDD|DD|D|dddd|ddd|HH|H|hh|h|mm|m|ss|s|A|a|ZZ|Z|X|LT|LL|L")
LONG = {"LT": "h:mm A", "LL": "MMMM D, YYYY", "L": "MM/DD/YYYY"}

SHOW: dict[str, Callable[[datetime], str]] = {
    "YYYY": lambda now: f"{now.year:04}",
    "YY": lambda now: f"{now.year % 100:02}",
    "MMMM": lambda now: MONTHS[now.month - 1],
    "MMM": lambda now: MONTHS[now.month - 1][:3],
    "MM": lambda now: f"{now.month:02}",
    "M": lambda now: str(now.month),
    "Do": lambda now: f"{now.day}{_ordinal(now.day)}",
    "DDDD": lambda now: f"{now.timetuple().tm_yday:03}",
    "DD": lambda now: f"{now.day:02}",
    "D": lambda now: str(now.day),
    "dddd": lambda now: DAYS[now.weekday()],
    "ddd": lambda now: DAYS[now.weekday()][:3],
    "HH": lambda now: f"{now.hour:02}",
    "H": lambda now: str(now.hour),
    "hh": lambda now: f"{_twelve(now.hour):02}",
    "h": lambda now: str(_twelve(now.hour)),
    "mm": lambda now: f"{now.minute:02}",
    "m": lambda now: str(now.minute),
    "ss": lambda now: f"{now.second:02}",
    "s": lambda now: str(now.second),
    "A": lambda now: "AM" if now.hour < 12 else "PM",
    "a": lambda now: "am" if now.hour < 12 else "pm",
    "ZZ": lambda now: now.strftime("%z"),
    "Z": lambda now: _offset(now.strftime("%z")),
    "X": lambda now: str(int(now.timestamp())),
}
STEPS: tuple[tuple[float, float, str, str], ...] = (
    (45, 1, "a few seconds", ""),
    (90, 60, "a minute", ""),
    (45 * 60, 60, "", "minutes"),
    (90 * 60, 3600, "an hour", ""),
    (22 * 3600, 3600, "", "hours"),
    (36 * 3600, 86400, "a day", ""),
    (26 * 86400, 86400, "", "days"),
    (45 * 86400, 86400 * 30.4375, "a month", ""),
    (320 * 86400, 86400 * 30.4375, "", "months"),
    (548 * 86400, 86400 * 365.25, "a year", ""),
)
"""Below so many seconds, a unit of so many seconds, the words, or the unit's name after a number: moment.js's steps."""


def formatted(now: datetime, format_: str) -> str:
    """Return the time by format letters; `[what stands in brackets]` is literal."""
    return TOKEN.sub(lambda match: _token(match, now), format_)


def humanized(difference: timedelta, *, suffix: bool = True) -> str:
    """Return `in 2 hours`, `a day ago`; without suffix `2 hours`."""
    seconds = abs(difference.total_seconds())
    words = next((_words(seconds, *step) for step in STEPS if seconds < step[0]), None)
    if words is None:
        words = f"{max(2, round(seconds / (86400 * 365.25)))} years"
    if not suffix:
        return words
    return f"in {words}" if difference > timedelta(0) else f"{words} ago"


def _words(seconds: float, _: float, unit: float, words: str, units: str) -> str:
    return words or f"{max(2, round(seconds / unit))} {units}"


def _token(match: re.Match[str], now: datetime) -> str:
    token = match.group()
    if token[0] == "[":
        return match.group(1)
    return formatted(now, LONG[token]) if token in LONG else SHOW[token](now)


def _twelve(hour: int) -> int:
    return hour % 12 or 12


def _offset(zone: str) -> str:
    return f"{zone[:3]}:{zone[3:5]}" if zone else ""


def _ordinal(day: int) -> str:
    return "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
