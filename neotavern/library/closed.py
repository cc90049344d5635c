"""Kinds that a team may keep to its administrators: asked wherever objects are listed, read or made."""

from __future__ import annotations

from neotavern.accounts import permissions
from neotavern.accounts.actor import Actor
from neotavern.library import kinds


def closed_kinds(actor: Actor) -> frozenset[str]:
    """Return the kinds that do not exist for the caller by the team's policy."""
    guarded = frozenset(kind.name for kind in kinds.kinds() if kind.policy_may_close)
    if not guarded or permissions.may_see_context_templates(actor):
        return frozenset()
    return guarded


def require_open(actor: Actor, kind: str) -> None:
    """Raise FORBIDDEN where the team keeps the kind to its administrators."""
    if kinds.get(kind).policy_may_close:
        permissions.require_context_templates(actor)
