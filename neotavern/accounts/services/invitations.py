"""Invitation links: made by an administrator, used once by whoever has the link, or taken back."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from neotavern.accounts import audit, permissions, selectors
from neotavern.accounts.actor import Actor
from neotavern.accounts.models import Invitation, Membership, User
from neotavern.accounts.services.keys import digest
from neotavern.accounts.services.members import checked_role
from neotavern.ground.errors import not_found

INVITATION_LIFE = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """An invitation at the only moment when its link's secret is known."""

    token: str
    role: str


@transaction.atomic
def invite(*, actor: Actor, role: str, note: str = "") -> NewInvitation:
    """Make a link that one person may use once within seven days; `note` says for whom it is."""
    permissions.require(actor, "administer")
    chosen = checked_role(actor, role)
    token = secrets.token_urlsafe(32)
    Invitation.objects.create(
        team_id=actor.team_id,
        digest=digest(token),
        role=chosen,
        made_by=actor.user,
        expires_at=actor.now + INVITATION_LIFE,
        note=note.strip()[:200],
    )
    audit.record(actor, "member.invite", item_kind="member", after=chosen)
    return NewInvitation(token=token, role=chosen)


@transaction.atomic
def revoke(*, actor: Actor, invitation_id: int) -> None:
    """Take back a link that nobody has used. Raises NOT_FOUND for a used one and for another team's."""
    permissions.require(actor, "administer")
    rows = Invitation.objects.select_for_update().filter(team_id=actor.team_id, used_at=None, revoked_at=None)
    row = rows.filter(pk=invitation_id).first()
    if row is None:
        raise not_found("This invitation")
    Invitation.objects.filter(pk=row.pk).update(revoked_at=actor.now)
    audit.record(actor, "member.uninvite", item_kind="member", before=row.role)


@transaction.atomic
def accept(*, user: User, token: str, now: datetime, request_id: str = "") -> Membership:
    """Make `user` a member by an invitation's secret, once.

    An unknown, used, revoked or expired one is NOT_FOUND. A member stays what he is: a link neither raises nor lowers
    a role.
    """
    rows = Invitation.objects.select_for_update().filter(used_at=None, revoked_at=None)
    invitation = rows.filter(digest=digest(token)).first()
    if invitation is None or invitation.expires_at <= now:
        raise not_found("This invitation")
    membership, made = Membership.objects.get_or_create(
        team_id=invitation.team_id, user=user, defaults={"role": invitation.role}
    )
    Invitation.objects.filter(pk=invitation.pk).update(used_at=now, used_by=user)
    if made:
        actor = selectors.member_actor(user, membership.team.slug, now=now, request_id=request_id)
        assert actor is not None  # noqa: S101 - the membership was made above
        audit.record(actor, "member.join", item_kind="member", item_slug=user.username, after=membership.role)
    return membership
