"""Time and date: an injected clock, an injected zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.chats.macros.base import NOW, codes, text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{date}} {{time}} {{weekday}}", "2026-07-31 14:05 Friday"),
        ("{{DateTime}}", "2026-07-31 14:05"),
        ("{{year}}/{{month}}/{{day}} {{hour}}.{{minute}}", "2026/07/31 14.05"),
        ("{{isotime}} {{isodate}}", "14:05 2026-07-31"),
        (
            "{{time_UTC+3}} {{time_UTC-10}} {{time_utc+5:30}} {{time::UTC+2}} {{time::-1}}",
            "17:05 04:05 19:35 16:05 13:05",
        ),
        ("{{datetimeformat::DD.MM.YYYY HH:mm:ss}}", "31.07.2026 14:05:00"),
        ("{{datetimeformat dddd, MMMM Do YYYY, h:mm a}}", "Friday, July 31st 2026, 2:05 pm"),
        ("{{datetimeformat::[Today is] ddd D MMM YY [at] hA Z}}", "Today is Fri 31 Jul 26 at 2PM +00:00"),
        ("{{datetimeformat::LT|LL|L|DDDD|X|ZZ}}", "2:05 PM|July 31, 2026|07/31/2026|212|1785506700|+0000"),
        ("{{timeDiff::2026-07-31T16:00::2026-07-31T14:00}}", "in 2 hours"),
        ("{{timeDiff::2026-07-30::2026-07-31}}", "a day ago"),
        ("{{timeDiff::{{isodate}}::2025-07-31}}", "in a year"),
        ("{{isNight}}", "false"),
    ],
)
def test_the_time_of_the_render(source: str, expected: str) -> None:
    assert text(source) == expected


@pytest.mark.parametrize(
    ("hour", "minute", "expected"), [(21, 59, "false"), (22, 0, "true"), (5, 59, "true"), (6, 0, "false")]
)
def test_night(hour: int, minute: int, expected: str) -> None:
    assert text("{{isNight}}", now=NOW.replace(hour=hour, minute=minute)) == expected


def test_the_zone_is_the_scopes() -> None:
    zone = ZoneInfo("Asia/Tokyo")
    assert text("{{datetime}} {{weekday}} {{time_UTC+0}}", zone=zone) == "2026-07-31 23:05 Friday 14:05"
    assert text("{{timeDiff::2026-08-01T09:00::2026-08-01T00:00+00:00}}", zone=zone) == "a few seconds ago"


@pytest.mark.parametrize(
    "source", ["{{time}}", "{{date}}", "{{isNight}}", "{{datetimeformat::YYYY}}", "{{idleDuration}}"]
)
def test_without_a_clock_nothing_is_told(source: str) -> None:
    assert text(source, now=None) == source


@pytest.mark.parametrize(
    "source",
    [
        "{{time::soon}}",
        "{{time_UTC+99}}",
        "{{timeDiff::a::b}}",
        "{{timeDiff::2026-07-31}}",
        "{{timeDiff::1e9::2026-07-31}}",
    ],
)
def test_what_makes_no_sense_stays(source: str) -> None:
    assert (text(source), codes(source)) == (source, [("MACRO_ARGUMENTS", source)])


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (timedelta(seconds=3), "a few seconds"),
        (timedelta(seconds=60), "a minute"),
        (timedelta(minutes=2), "2 minutes"),
        (timedelta(minutes=50), "an hour"),
        (timedelta(hours=5), "5 hours"),
        (timedelta(hours=30), "a day"),
        (timedelta(days=6), "6 days"),
        (timedelta(days=30), "a month"),
        (timedelta(days=90), "3 months"),
        (timedelta(days=400), "a year"),
        (timedelta(days=800), "2 years"),
    ],
)
def test_how_long_nobody_wrote(passed: timedelta, words: str) -> None:
    assert text("{{idleDuration}}|{{idle_duration}}", last_user_at=NOW - passed) == f"{words}|{words}"


def test_days_have_ordinals() -> None:
    days = [datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2, 3, 4, 11, 12, 13, 21, 22)]
    shown = [text("{{datetimeformat::Do}}", now=day) for day in days]
    assert shown == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd"]
