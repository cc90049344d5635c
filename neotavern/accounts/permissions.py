"""The one place that answers "may this caller do this": browser and API ask here, and nobody else compares roles."""

from __future__ import annotations

from typing import Literal

from neotavern.accounts.actor import Actor
from neotavern.ground.errors import forbidden

Action = Literal["read", "render", "write", "move_label", "delete", "administer"]

NEEDS: dict[Action, str] = {
    "read": "read",
    "render": "render",
    "write": "write",
    "move_label": "write",
    "delete": "admin",
    "administer": "admin",
}
"""The scope that each action needs. A key with `write` may also read, one with `admin` may do everything."""

INCLUDES: dict[str, frozenset[str]] = {
    "read": frozenset({"read"}),
    "render": frozenset({"render"}),
    "write": frozenset({"write", "read"}),
    "admin": frozenset({"admin", "write", "read", "render"}),
}


def may(actor: Actor, action: Action) -> bool:
    """Return whether `actor` may do `action` in its team."""
    return scopes_allow(actor.scopes, action)


def scopes_allow(scopes: frozenset[str], action: Action) -> bool:
    """Return whether a caller with `scopes` may do `action`; for the hot path, which has no Actor."""
    need = NEEDS[action]
    return any(need in INCLUDES[scope] for scope in scopes if scope in INCLUDES)


def require(actor: Actor, action: Action) -> None:
    """Raise FORBIDDEN unless `actor` may do `action`."""
    if not may(actor, action):
        raise refusal(action)


def refusal(action: Action) -> Exception:
    """Return the FORBIDDEN error for `action`."""
    return forbidden(f"This needs the right to {NEEDS[action]}: ask an administrator of the team.", needs=NEEDS[action])
