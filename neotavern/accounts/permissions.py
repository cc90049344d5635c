"""The one place that answers "may this caller do this": browser and API ask here, and nobody else compares roles."""

from __future__ import annotations

from typing import Literal

from neotavern.accounts import policy as policies
from neotavern.accounts.actor import Actor
from neotavern.accounts.policy import Policy
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


def may_move_label(actor: Actor, name: str, policy: Policy | None = None) -> bool:
    """Return whether `actor` may move label `name`; protected ones are for administrators.

    `policy` is the team's; without it, it is read, unless the answer does not depend on it.
    """
    if may(actor, "administer") or not may(actor, "move_label"):
        return may(actor, "move_label")
    return name not in (policy or policies.of(actor)).protected_labels


def require_move_label(actor: Actor, name: str, policy: Policy | None = None) -> None:
    """Raise FORBIDDEN unless `actor` may move label `name`."""
    require(actor, "move_label")
    if not may_move_label(actor, name, policy):
        raise forbidden(
            f"The label {name} is protected: an administrator of the team moves it.", needs="admin", label=name
        )


def may_see_context_templates(actor: Actor, policy: Policy | None = None) -> bool:
    """Return whether `actor` may list, read and (with the right to write) change context templates."""
    if may(actor, "administer"):
        return True
    return (policy or policies.of(actor)).context_templates_for == "everyone"


def require_context_templates(actor: Actor) -> None:
    """Raise FORBIDDEN where the team keeps its context templates to administrators."""
    if not may_see_context_templates(actor):
        raise forbidden("Administrators keep the context templates of this team: ask one of them.", needs="admin")


def may_set_defaults(actor: Actor, policy: Policy | None = None) -> bool:
    """Return whether `actor` may change the settings of the whole team."""
    if may(actor, "administer") or not may(actor, "write"):
        return may(actor, "write")
    return (policy or policies.of(actor)).settings_by == "editor"


def require_set_defaults(actor: Actor, policy: Policy | None = None) -> None:
    """Raise FORBIDDEN unless `actor` may change the settings of the whole team."""
    require(actor, "write")
    if not may_set_defaults(actor, policy):
        raise forbidden("Administrators set the defaults of this team: ask one of them.", needs="admin")
