"""Bodies and answers of the administrators' operations."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from neotavern.ground.wire import WireModel


class KeyIn(WireModel):
    """A key to make."""

    name: str
    scopes: list[str]
    expires_at: datetime | None = None


class KeyMade(WireModel):
    """A new key; `key` is shown this once."""

    id: int
    key: str
    prefix: str
    scopes: list[str]


class KeyOut(WireModel):
    """A key's record, without the key."""

    id: int
    name: str
    prefix: str
    scopes: list[str]
    made_by: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class KeyList(WireModel):
    """The team's keys, revoked ones included."""

    items: list[KeyOut]


class PolicyOut(WireModel):
    """What the team has decided: labels that administrators move, the least role that sets its defaults, who sees its
    context templates."""

    protected_labels: list[str]
    settings_by: str
    context_templates_for: str


class TeamOut(WireModel):
    """The caller's team."""

    slug: str
    name: str
    policy: PolicyOut


class PolicyIn(WireModel):
    """Parts of the policy to change."""

    protected_labels: list[str] | None = None
    settings_by: str | None = None
    context_templates_for: str | None = None


class TeamIn(WireModel):
    """Parts of the team to change."""

    name: str | None = None
    policy: PolicyIn | None = None


class MemberIn(WireModel):
    """A user to make with `username` and `password`, or a `role` alone for an invitation link."""

    role: str
    username: str | None = None
    password: str | None = None


class RoleIn(WireModel):
    """A new role."""

    role: str


class MemberOut(WireModel):
    """A member."""

    username: str
    role: str


class MemberList(WireModel):
    """The team's members."""

    items: list[MemberOut]


class InviteOut(WireModel):
    """The link to pass on; it is shown this once and works once."""

    invite_url: str
    role: str


class AuditOut(WireModel):
    """One entry of the trail."""

    id: int
    at: datetime
    actor: str
    via: str
    action: str
    kind: str
    slug: str
    from_revision: int | None
    to_revision: int | None
    before: Any
    after: Any
    request_id: str


class AuditPage(WireModel):
    """Entries, newest first."""

    items: list[AuditOut]
    next_cursor: str | None
