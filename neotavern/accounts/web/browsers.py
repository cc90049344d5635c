"""A browser in words that a person recognises: `Firefox · Linux`, not the whole User-Agent."""

from __future__ import annotations

BROWSERS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
)
"""Mark and name; the first that stands in the header wins, since each claims to be those below it."""

SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def browser_name(user_agent: str) -> str:
    """Return browser and system, as far as the header tells; empty when it tells nothing."""
    names = (_first(BROWSERS, user_agent), _first(SYSTEMS, user_agent))
    return " · ".join(name for name in names if name)


def _first(known: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for mark, name in known if mark in text), "")
