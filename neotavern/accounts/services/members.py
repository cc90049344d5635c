"""Members of a team: added by an administrator or by an invitation link, their roles changed, taken out again."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from neotavern.accounts import audit, permissions, selectors
from neotavern.accounts.actor import Actor
from neotavern.accounts.models import Invitation, Membership, Role, User
from neotavern.accounts.services.keys import digest
from neotavern.ground.errors import conflict, forbidden, invalid, not_found

INVITATION_LIFE = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """An invitation at the only moment when its link's secret is known."""

    token: str
    role: str


def _role(actor: Actor, value: str) -> str:
    """Return a role that `actor` may hand out: only an owner makes owners."""
    if value not in Role.values:
        raise invalid("role", f"A role is one of {', '.join(Role.values)}.")
    if value == Role.OWNER and actor.role not in {Role.OWNER, ""}:
        raise forbidden("Only an owner makes another owner.")
    return value


@transaction.atomic
def add_member(*, actor: Actor, username: str, role: str, password: str) -> Membership:
    """Make a new user with `password` a member. Raises CONFLICT when the user name is taken."""
    permissions.require(actor, "administer")
    chosen = _role(actor, role)
    user = _new_user(username, password)
    membership = Membership.objects.create(team_id=actor.team_id, user=user, role=chosen)
    audit.record(actor, "member.add", item_kind="member", item_slug=user.username, after=chosen)
    return membership


def _new_user(username: str, password: str) -> User:
    user = User(username=username.strip())
    try:
        user.full_clean(exclude=["password"], validate_unique=False)
        validate_password(password, user)
    except ValidationError as error:
        path = "username" if hasattr(error, "message_dict") else "password"
        raise invalid(path, " ".join(error.messages)) from error
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise conflict("This user name is taken. Invite its owner by link instead.", username=username) from error
    return user


@transaction.atomic
def invite(*, actor: Actor, role: str) -> NewInvitation:
    """Make a link that one person may use once within seven days."""
    permissions.require(actor, "administer")
    chosen = _role(actor, role)
    token = secrets.token_urlsafe(32)
    Invitation.objects.create(
        team_id=actor.team_id,
        digest=digest(token),
        role=chosen,
        made_by=actor.user,
        expires_at=actor.now + INVITATION_LIFE,
    )
    audit.record(actor, "member.invite", item_kind="member", after=chosen)
    return NewInvitation(token=token, role=chosen)


@transaction.atomic
def set_role(*, actor: Actor, username: str, role: str) -> Membership:
    """Change a member's role. The last owner stays one, and only an owner changes an owner."""
    permissions.require(actor, "administer")
    chosen = _role(actor, role)
    membership = _locked(actor, username)
    if membership.role == chosen:
        return membership
    _guard_owner(actor, membership)
    before = membership.role
    Membership.objects.filter(pk=membership.pk).update(role=chosen)
    membership.role = chosen
    audit.record(actor, "member.role", item_kind="member", item_slug=username, before=before, after=chosen)
    return membership


@transaction.atomic
def remove_member(*, actor: Actor, username: str) -> None:
    """Take a member out of the team; the account and what it wrote stay."""
    permissions.require(actor, "administer")
    membership = _locked(actor, username)
    _guard_owner(actor, membership)
    before = membership.role
    membership.delete()
    audit.record(actor, "member.remove", item_kind="member", item_slug=username, before=before)


def _locked(actor: Actor, username: str) -> Membership:
    """Return the membership with all of the team's memberships locked, so that two owners can not both step down."""
    rows = Membership.objects.select_for_update().filter(team_id=actor.team_id).order_by("id")
    for row in rows.select_related("user"):
        if row.user.username == username:
            return row
    raise not_found("This member", username=username)


def _guard_owner(actor: Actor, membership: Membership) -> None:
    if membership.role != Role.OWNER:
        return
    if actor.role not in {Role.OWNER, ""}:
        raise forbidden("Only an owner changes an owner.")
    if Membership.objects.filter(team_id=actor.team_id, role=Role.OWNER).count() == 1:
        raise conflict("This is the team's last owner: make another one first.", usedBy=["team"])


@transaction.atomic
def accept(*, user: User, token: str, now: datetime, request_id: str = "") -> Membership:
    """Make `user` a member by an invitation's secret, once.

    An unknown, used or expired one is NOT_FOUND. A member stays what he is: a link neither raises nor lowers a role.
    """
    invitation = Invitation.objects.select_for_update().filter(digest=digest(token), used_at=None).first()
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
