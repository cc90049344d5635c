"""Who asks: a member in a browser, a program with a key, or a command, with all that permissions need to know."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neotavern.accounts.models import User

SCOPES = ("read", "render", "write", "admin")
ALL_SCOPES = frozenset(SCOPES)
ROLE_SCOPES: dict[str, frozenset[str]] = {
    "owner": ALL_SCOPES,
    "admin": ALL_SCOPES,
    "editor": frozenset({"read", "render", "write"}),
    "viewer": frozenset({"read", "render"}),
}
"""A role in the words of key scopes: one table serves both kinds of caller."""


@dataclass(frozen=True, slots=True)
class Actor:
    """A caller in one team. `now` is the time of the request; `via` is `browser`, `key:<prefix>` or `command`."""

    team_id: int
    team_slug: str
    scopes: frozenset[str]
    via: str
    now: datetime
    role: str = ""
    user: User | None = None
    key_id: int | None = None
    name: str = ""
    request_id: str = ""

    @property
    def is_key(self) -> bool:
        """True for a program: personal settings never reach it."""
        return self.key_id is not None


@dataclass(frozen=True, slots=True)
class TeamChoice:
    """A team that the logged-in person may switch to."""

    slug: str
    name: str
    role: str = field(default="viewer")
