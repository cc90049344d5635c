"""Decorators of V3 books: lines `@@name value` before an entry's text. Known ones become fields; none is printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from chats.documents.foreign import Loss, number, texts

_POSITIONS: Final = {"before_desc": "before_character", "after_desc": "after_character"}
_ROLES: Final = frozenset({"system", "user", "assistant"})
Setter = Callable[[str, dict[str, Any]], dict[str, Any] | None]


def apply_decorators(entry: dict[str, Any], losses: list[Loss], path: str) -> dict[str, Any]:
    """Return `entry` with its text's decorators obeyed and taken out; the lines are kept under `extensions`."""
    lines = entry["content"].split("\n")
    count = next((at for at, line in enumerate(lines) if not line.startswith("@@")), len(lines))
    if not count:
        return entry
    is_obeyed = False
    ready = dict(entry)
    for line in lines[:count]:
        # `@@@name` is what to do where the line above is not known
        is_fallback = line.startswith("@@@")
        if is_fallback and is_obeyed:
            continue
        name, _, value = line.lstrip("@").strip().partition(" ")
        setter = _KNOWN.get(name)
        change = setter(value.strip(), ready) if setter else None
        is_obeyed = change is not None
        ready.update(change or {})
        if not is_obeyed:
            losses.append(Loss(f"{path}.content", f"decorator @@{name} is not obeyed here"))
    ready["content"] = "\n".join(lines[count:]).lstrip("\n")
    ready["extensions"] = {**entry["extensions"], "decorators": lines[:count]}
    return ready


def _position(value: str, entry: dict[str, Any]) -> dict[str, Any] | None:
    return {"position": _POSITIONS[value]} if value in _POSITIONS else None


def _role(value: str, entry: dict[str, Any]) -> dict[str, Any] | None:
    return {"role": value} if value in _ROLES else None


def _excluded(value: str, entry: dict[str, Any]) -> dict[str, Any] | None:
    if entry["secondaryKeys"]:
        return None
    return {"secondaryKeys": texts(value), "secondaryLogic": "not_any", "selective": True}


def _additional(value: str, entry: dict[str, Any]) -> dict[str, Any] | None:
    if entry["secondaryKeys"]:
        return None
    return {"secondaryKeys": texts(value), "secondaryLogic": "and_any", "selective": True}


_KNOWN: Final[dict[str, Setter]] = {
    "activate": lambda value, entry: {"constant": True},
    "dont_activate": lambda value, entry: {"enabled": False},
    "depth": lambda value, entry: {"position": "at_depth", "depth": number(value, 4, low=0, high=9_999)},
    "role": _role,
    "position": _position,
    "scan_depth": lambda value, entry: {"scanDepth": number(value, 4, low=0)},
    "activate_only_after": lambda value, entry: {"delay": number(value, 0, low=0)},
    "exclude_keys": _excluded,
    "additional_keys": _additional,
}
