"""Values of other programs' files, which have the right meaning more often than the right type."""

from __future__ import annotations

from typing import Any, NamedTuple

from chats.documents.fields import KEY_LENGTH, KEY_LIMIT, LONG_TEXT, NUMBER_LIMIT


class Loss(NamedTuple):
    """Something that a reading could not keep, and why."""

    path: str
    reason: str


def text(value: Any, limit: int = LONG_TEXT) -> str:
    """Return a string without NUL, cut at `limit`; anything else is empty."""
    return value.replace("\0", "")[:limit] if isinstance(value, str) else ""


def texts(value: Any) -> list[str]:
    """Return the strings of a list, or those between the commas of one string."""
    listed = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
    if not isinstance(listed, list | tuple):
        return []
    return [text(part, KEY_LENGTH) for part in listed if isinstance(part, str) and part.strip()][:KEY_LIMIT]


def flag(value: Any, *, default: bool = False) -> bool:
    """Return a switch: `true`, 1, "true"; null is `default`."""
    known = optional_flag(value)
    return default if known is None else known


def optional_flag(value: Any) -> bool | None:
    """Return a switch, or None where nothing that can be read is given."""
    if isinstance(value, bool | int | float):
        return bool(value)
    if isinstance(value, str):
        return {"true": True, "1": True, "false": False, "0": False}.get(value.strip().casefold())
    return None


def number(value: Any, default: int, *, low: int = -NUMBER_LIMIT, high: int = NUMBER_LIMIT) -> int:
    """Return a whole number between `low` and `high`, read from a string too."""
    if isinstance(value, str):
        value = _parsed(value)
    if not isinstance(value, int | float) or value != value:  # noqa: PLR0124 - only NaN differs from itself
        return default
    return int(max(low, min(high, value)))


def optional_count(value: Any) -> int | None:
    """Return a whole number from 0, or None."""
    return None if value is None else number(value, 0, low=0)


def _parsed(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None
